import type { Change } from '../../fleet/change.ts';
import { creationStagesWith, phaseOf, stageText } from '../../fleet/computers/computer.ts';
import { phaseStartOf } from '../../fleet/computers/uptime.ts';
import { durationText } from '../../foundation/duration.ts';
import { memoize } from '../../foundation/memoize.ts';
import { bar } from '../../lines/chart.ts';
import { joinedParts, type Part, part, partsThatFit } from '../../lines/parts.ts';
import type { Span } from '../../lines/span.ts';
import type { TimeFormatter } from '../../lines/time-text.ts';
import { usualOf } from '../../operations/why-not.ts';
import type { ComputerState } from '../../store/state.ts';

//  ✔ creating 4 s ─ ● loading image 63 % ─ ○ ready
//  ━━━━━━━━━━━━━━━━━━╸──────────  about 35 s left, usually 51 s

export const usualCreationMs = memoize((changes: readonly Change[]): number | undefined => {
	const durations = changes.flatMap(change => {
		if (change.type !== 'statusChanged' || change.from === null || change.to === null) return [];
		const isCreation = phaseOf(change.from) === 'creating' && phaseOf(change.to) === 'active';
		return isCreation && change.lasted !== undefined ? [change.lasted] : [];
	});
	return usualOf(durations);
});

// The first percents are not typical, so an earlier estimate would jump.
const minEstimatedPercent = 10;

/** Undefined if neither the usual time nor the progress is known, or if the creation takes longer than usual. */
export function creationTimeLeftMs(
	{ reading, since }: Pick<ComputerState, 'reading' | 'since'>,
	usualMs: number | undefined,
	now: number,
	readAt: number,
): number | undefined {
	const { at: start, isLowerBound } = phaseStartOf({ phase: 'creating', reading, since });
	if (isLowerBound) return undefined;
	const elapsed = Math.max(0, now - start);
	const elapsedAtRead = Math.max(0, Math.min(now, readAt) - start);
	const { stageProgress } = reading;
	const hasProgress = typeof stageProgress === 'number' && stageProgress >= minEstimatedPercent;
	const total = usualMs ?? (hasProgress ? (elapsedAtRead * 100) / stageProgress : undefined);
	return total === undefined || total <= elapsed ? undefined : total - elapsed;
}

export function creationSteps(
	computer: ComputerState,
	changes: readonly Change[],
	readAt: number,
	{ now, width, times }: { now: number; width: number; times: TimeFormatter },
): readonly (readonly Span[])[] {
	const { stageProgress } = computer.reading;
	const usual = usualCreationMs(changes);
	const left = creationTimeLeftMs(computer, usual, now, readAt);
	const hasProgress = typeof stageProgress === 'number' && width < Infinity;
	const progress: readonly Part[] = [
		{ drop: 1, spans: hasProgress ? bar(stageProgress / 100, barCells, 'busy') : [] },
		part(0, left === undefined ? '' : `about ${times.duration(left)} left`, 'faint'),
		part(2, usual === undefined ? '' : `usually ${durationText(usual)}`, 'faint'),
	];
	const steps = partsThatFit(stepParts(computer), width - 1, ' ─ ');
	const lines = [
		joinedParts(steps, ' ─ '),
		joinedParts(partsThatFit(progress, width - 1, '  '), '  '),
	];
	return lines.filter(spans => spans.length > 0).map(spans => [[' '], ...spans]);
}

const barCells = 28;

function stepParts({ reading, stageStarts = {} }: ComputerState): readonly Part[] {
	const { stage, stageProgress, stageMessage = 'creating' } = reading;
	const percent = typeof stageProgress === 'number' ? ` ${stageProgress} %` : '';
	if (!stage) return [part(0, `◐ ${stageMessage}${percent}`, 'busy')];
	const stages = creationStagesWith(stage);
	const current = stages.indexOf(stage);
	return stages.map((each, at): Part => {
		const drop = Math.abs(at - current);
		const text = stageText(each);
		if (at === current) return part(drop, `◐ ${text}${percent}`, 'busy');
		if (at > current) return part(drop, `○ ${text}`, 'faint');
		const [from, to] = [stageStarts[each], stageStarts[stages[at + 1] ?? '']];
		const time = from === undefined || to === undefined ? '' : ` ${durationText(to - from)}`;
		return {
			drop,
			spans: [
				['✔', 'good'],
				[` ${text}${time}`, 'faint'],
			],
		};
	});
}
