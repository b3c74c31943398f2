import { barSpans } from '../../drawing/chart.ts';
import { type Span, widthOf } from '../../drawing/span.ts';
import type { Change } from '../../fleet/change.ts';
import { phaseOf } from '../../fleet/computers/computer.ts';
import { creationStagesWith, stageText } from '../../fleet/computers/creation-stages.ts';
import { phaseStartOf } from '../../fleet/computers/uptime.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Theme } from '../../lines/theme.ts';
import type { ComputerState } from '../../store/state.ts';

//  ✔ creating 4 s ─ ● loading image 63 % ─ ○ ready
//  ━━━━━━━━━━━━━━━━━━╸──────────  about 35 s left, usually 51 s

const maxSampledCreations = 20;

const usualTimes = new WeakMap<readonly Change[], { usualMs: number | undefined }>();

/**
 * Returns the median time that the last creations took until their computer was active; undefined without any. It is kept
 * for each list of changes, because the row of each creation shows it.
 */
export function usualCreationMs(changes: readonly Change[]): number | undefined {
	let known = usualTimes.get(changes);
	if (known === undefined) {
		known = { usualMs: medianCreationMs(changes) };
		usualTimes.set(changes, known);
	}
	return known.usualMs;
}

function medianCreationMs(changes: readonly Change[]): number | undefined {
	const durations = changes.flatMap(change => {
		if (change.type !== 'statusChanged' || change.from === null || change.to === null) return [];
		const isCreation = phaseOf(change.from) === 'creating' && phaseOf(change.to) === 'active';
		return isCreation && change.lasted !== undefined ? [change.lasted] : [];
	});
	const latest = durations.slice(-maxSampledCreations).sort((a, b) => a - b);
	return latest[Math.floor((latest.length - 1) / 2)];
}

// The least progress from which the time is estimated. The first percents are not typical, so an earlier estimate
// would jump.
const minEstimatedPercent = 10;

/**
 * Estimates how long a creation still takes: from the usual time, or else from its progress, which is as old as
 * `readAt`. Returns undefined if neither is known, or if the creation takes longer than usual.
 */
export function creationTimeLeftMs(
	{ reading, since }: Pick<ComputerState, 'reading' | 'since'>,
	usualMs: number | undefined,
	now: number,
	readAt = now,
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

type CreationOptions = {
	changes: readonly Change[];
	/** When the computer was last read. */
	readAt: number;
	now: number;
	width: number;
	theme: Theme;
};

/** Draws the steps of a creation with the time that is left. A narrow line keeps the current step and its bar. */
export function creationSteps(
	computer: ComputerState,
	{ changes, readAt, now, width, theme }: CreationOptions,
): readonly (readonly Span[])[] {
	const { stage, stageProgress, stageMessage } = computer.reading;
	const steps = stepSpans(computer, theme);
	const usual = usualCreationMs(changes);
	const left = creationTimeLeftMs(computer, usual, now, readAt);
	const times = [
		...(left === undefined ? [] : [`about ${theme.times.duration(left)} left`]),
		...(usual === undefined ? [] : [`usually ${durationText(usual)}`]),
	].join(', ');
	const percent = typeof stageProgress === 'number' ? ` ${stageProgress} %` : '';
	const current: readonly Span[] = [
		[
			` ${theme.glyphs.busy} ${stage ? stageText(stage) : (stageMessage ?? 'creating')}${percent}`,
			'busy',
		],
	];
	const first = widthOf(steps, theme) <= width ? steps : current;
	const note: readonly Span[] = times === '' ? [] : [[`  ${times}`, 'faint']];
	const barWidth = Math.min(maxBarWidth, width - 2 - widthOf(note, theme));
	const hasBar = typeof stageProgress === 'number' && barWidth >= minBarWidth;
	const bar = hasBar ? barSpans(stageProgress / 100, barWidth, theme, 'busy') : [];
	return bar.length + note.length > 0 ? [first, [[' '], ...bar, ...note]] : [first];
}

const minBarWidth = 8;
const maxBarWidth = 40;

function stepSpans(
	{ reading, stageStarts = {} }: ComputerState,
	{ glyphs }: Theme,
): readonly Span[] {
	const { stage, stageProgress } = reading;
	if (!stage) return [];
	const stages = creationStagesWith(stage);
	const currentIndex = stages.indexOf(stage);
	const percent = typeof stageProgress === 'number' ? ` ${stageProgress} %` : '';
	return stages.flatMap((each, index): readonly Span[] => {
		const gap: readonly Span[] = [[index === 0 ? ' ' : ` ${glyphs.rule} `, 'faint']];
		if (index < currentIndex) {
			const [from, to] = [stageStarts[each], stageStarts[stages[index + 1] ?? '']];
			const time = from === undefined || to === undefined ? '' : ` ${durationText(to - from)}`;
			return [...gap, [glyphs.done, 'good'], [` ${stageText(each)}${time}`, 'faint']];
		}
		if (index > currentIndex) return [...gap, [`${glyphs.stopped} ${stageText(each)}`, 'faint']];
		return [...gap, [`${glyphs.busy} ${stageText(each)}${percent}`, 'busy']];
	});
}
