import type { Change } from '../fleet/change.ts';
import { changingPhases, type Phase, phaseOf } from '../fleet/computers/computer.ts';
import type { StopReason } from '../fleet/computers/stop-reason.ts';
import { dayMs, durationText, minuteMs } from '../foundation/duration.ts';
import { flowing, type Line, line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import { knownStretches } from '../store/past.ts';
import type { ComputerState } from '../store/state.ts';

//  24 h  ░░░░░░░░░░░░░████████████████████▼███████████▒████████████   █ up 78 %  ░ asleep 22 %

type Stretch = { from: number; to: number; word: string };

const signs: Readonly<Record<string, Span>> = {
	up: ['█', 'good'],
	changing: ['▒', 'busy'],
	asleep: ['░', 'faint'],
	error: ['✖', 'bad'],
	unknown: ['?', 'busy'],
};

const signOf = (word: string): Span => signs[word] ?? ['▁', 'faint'];

function wordOf(phase: Phase, reason: StopReason | undefined): string {
	if (phase === 'active') return 'up';
	if (phase === 'stopped' && reason === 'asleep') return 'asleep';
	return changingPhases.includes(phase) ? 'changing' : phase;
}

export function dayStripLines(
	computer: ComputerState,
	history: readonly Change[],
	now: number,
	width: number,
): readonly Line[] {
	const label: Span = ['24 h  ', 'faint'];
	const stretches = knownStretches(computer, history, now - dayMs, now).map(
		({ status, reason, ...time }) => ({ ...time, word: wordOf(phaseOf(status), reason) }),
	);
	const shares = shareSpans(stretches);
	if (shares.length === 0) return [];
	if (width === Infinity) return [line(label, ...shares)];
	const strip = stripSpans(stretches, history, now, width < 65 ? 24 : 48);
	return flowing([[label, ...strip], shares], width, '   ');
}

/** A cell shows an error at any time of it, or else what lasted longest. */
function stripSpans(
	stretches: readonly Stretch[],
	history: readonly Change[],
	now: number,
	cells: number,
): readonly Span[] {
	const cellMs = dayMs / cells;
	const strip = Array.from({ length: cells }, (_, at): Span => {
		const from = now - dayMs + at * cellMs;
		const times = timesIn(stretches, from, from + cellMs);
		if (times.some(({ word }) => word === 'error')) return signOf('error');
		const [longest] = times;
		return longest && longest.ms >= cellMs - totalOf(times) ? signOf(longest.word) : ['·', 'faint'];
	});
	for (const change of history) {
		const place = Math.floor((change.at - (now - dayMs)) / cellMs);
		const isDone = change.type === 'operationMoved' && change.to === 'settled';
		if (isDone && place >= 0 && change.at <= now)
			strip[Math.min(place, cells - 1)] = ['▼', 'accent'];
	}
	return strip;
}

function timesIn(stretches: readonly Stretch[], from: number, to: number) {
	const times = new Map<string, number>();
	for (const stretch of stretches) {
		const ms = Math.min(stretch.to, to) - Math.max(stretch.from, from);
		if (ms > 0) times.set(stretch.word, (times.get(stretch.word) ?? 0) + ms);
	}
	return Array.from(times, ([word, ms]) => ({ word, ms })).sort((a, b) => b.ms - a.ms);
}

const totalOf = (times: readonly { ms: number }[]) => times.reduce((sum, { ms }) => sum + ms, 0);

function shareSpans(stretches: readonly Stretch[]): readonly Span[] {
	const times = timesIn(stretches, 0, Infinity);
	const watched = totalOf(times);
	if (watched < minuteMs) return [];
	const shares = times.flatMap(({ word, ms }, at): readonly Span[] => [
		[at > 0 ? '  ' : ''],
		signOf(word),
		[` ${word} ${percentText(ms / watched)}`],
	]);
	if (dayMs - watched < minuteMs) return shares;
	const minutes = durationText(Math.floor(watched / minuteMs) * minuteMs);
	return [...shares, [` of the ${minutes} watched`, 'faint']];
}

function percentText(share: number): string {
	if (share < 0.01) return '<1 %';
	return share < 1 && share > 0.99 ? '>99 %' : `${Math.round(share * 100)} %`;
}
