import type { Change } from '../fleet/change.ts';
import {
	dayStripOf,
	type PhaseSpan,
	phaseSharesOf,
	phaseSpansOf,
	type SeenPhase,
	seenPhaseOf,
} from '../fleet/day-strip.ts';
import { durationText } from '../foundation/duration.ts';
import { type Line, line } from '../lines/line.ts';
import { type Span, widthOf } from '../lines/span.ts';
import type { ComputerState } from '../store/state.ts';

//  24 h  ░░░░░░░░░░░░░████████████████████▼███████████▒████████████   █ up 78 %  ░ asleep 22 %

const stripHours = 24;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** What happened to a computer in the last 24 hours. */
type Day = { spans: readonly PhaseSpan[]; history: readonly Change[]; now: number };

export const dayOf = (computer: ComputerState, history: readonly Change[], now: number): Day => ({
	spans: phaseSpansOf(history, now, stripHours, currentPhaseOf(computer)),
	history,
	now,
});

/** Returns the phase and its start. The platform may report a start from before this program first read the computer. */
function currentPhaseOf({ phase, since, reading, stopReason }: ComputerState) {
	const { startedAt } = reading;
	const isStartKnown = phase === 'active' && typeof startedAt === 'number';
	return {
		phase: seenPhaseOf(phase, stopReason),
		since: isStartKnown ? Math.min(startedAt, since.at) : since.at,
	};
}

const label: Span = ['24 h  ', 'faint'];
const minStripWidth = 40;
const usualSharesWidth = 22;

/**
 * Draws the phases as a strip with a mark for each operation, and the share of each phase beside it, or below it where the strip
 * would be too short.
 */
export function dayStripLines(day: Day, width: number): readonly Line[] {
	const { parts, note } = dayShares(day);
	if (parts.length === 0) return [];
	const shares: readonly Span[] = [
		...parts.flatMap(({ sign, text }, at): readonly Span[] => [
			[at > 0 ? '  ' : ''],
			sign,
			[` ${text}`],
		]),
		[note, 'faint'],
	];
	if (width === Number.POSITIVE_INFINITY) return [line(label, ...shares)];
	const room = width - widthOf([label]) - 2;
	const beside = room - 3 - Math.max(usualSharesWidth, widthOf(shares));
	if (beside >= minStripWidth) return [line(label, ...stripSpans(day, beside), ['   '], ...shares)];
	return [line(label, ...stripSpans(day, Math.max(1, room))), line(['      '], ...shares)];
}

function stripSpans({ spans, history, now }: Day, cells: number): readonly Span[] {
	const strip = dayStripOf(spans, now, stripHours, cells).map(signOf);
	const start = now - stripHours * hourMs;
	for (const change of history) {
		const { at } = change;
		const isDone = change.type === 'operationMoved' && change.to === 'settled';
		if (!isDone || at <= start || at > now) continue;
		strip[Math.min(cells - 1, Math.floor(((at - start) / (now - start)) * cells))] = [
			'▼',
			'accent',
		];
	}
	return strip;
}

/**
 * Gives the share of each phase in the watched time, the longest first, and how long that is if not the whole day; nothing just
 * after the first read.
 */
export function dayShares({ spans }: Day): {
	parts: readonly { sign: Span; text: string }[];
	note: string;
} {
	const { watchedMs, shares } = phaseSharesOf(spans);
	if (watchedMs < minuteMs) return { parts: [], note: '' };
	const sums = new Map<string, { sign: Span; share: number }>();
	for (const [phase, share] of shares) {
		const [, word] = looks[phase];
		sums.set(word, { sign: signOf(phase), share: share + (sums.get(word)?.share ?? 0) });
	}
	const parts = [...sums]
		.sort(([, one], [, other]) => other.share - one.share)
		.map(([word, { sign, share }]) => ({ sign, text: `${word} ${percentText(share)}` }));
	const hasGap = stripHours * hourMs - watchedMs >= minuteMs;
	const watched = durationText(Math.floor(watchedMs / minuteMs) * minuteMs);
	return { parts, note: hasGap ? ` of the ${watched} watched` : '' };
}

/** The sign and the word of each phase. */
const looks: Readonly<Record<SeenPhase, readonly [sign: Span, word: string]>> = {
	creating: [['▒', 'busy'], 'creating'],
	active: [['█', 'good'], 'up'],
	asleep: [['░', 'faint'], 'asleep'],
	stopped: [['▁', 'faint'], 'stopped'],
	error: [['✖', 'bad'], 'error'],
	stopping: [['▒', 'busy'], 'changing'],
	starting: [['▒', 'busy'], 'changing'],
	restarting: [['▒', 'busy'], 'changing'],
	updating: [['▒', 'busy'], 'changing'],
	archived: [['▁', 'faint'], 'archived'],
	pooled: [['▁', 'faint'], 'pooled'],
	unknown: [['?', 'busy'], 'unknown'],
};

const signOf = (phase: PhaseSpan['phase']): Span =>
	phase === 'unseen' ? ['·', 'faint'] : looks[phase][0];

function percentText(share: number): string {
	if (share < 0.01) return '<1 %';
	if (share < 1 && share > 0.99) return '>99 %';
	return `${Math.round(share * 100)} %`;
}
