import type { Change, StatusChange } from '../fleet/change.ts';
import { type Phase, phaseOf } from '../fleet/computers/computer.ts';
import type { StopReason } from '../fleet/computers/stop-reason.ts';
import { durationText } from '../foundation/duration.ts';
import { type Line, line } from '../lines/line.ts';
import { type Span, widthOf } from '../lines/span.ts';
import type { ComputerState } from '../store/state.ts';

//  24 h  ░░░░░░░░░░░░░████████████████████▼███████████▒████████████   █ up 78 %  ░ asleep 22 %

const stripHours = 24;
const hourMs = 3_600_000;
const minuteMs = 60_000;

type Day = { spans: readonly PhaseSpan[]; history: readonly Change[]; now: number };

export const dayOf = (computer: ComputerState, history: readonly Change[], now: number): Day => ({
	spans: phaseSpansOf(history, now, stripHours, currentPhaseOf(computer)),
	history,
	now,
});

/** The platform may report a start from before this program first read the computer. */
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

/** The shares stand beside the strip, or below it where it would be too short. */
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

/** The longest share comes first. There are none just after the first read. */
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

/** `asleep` is a computer that its plan stopped, and `stopped` is one that a person stopped. */
type SeenPhase = Phase | 'asleep';

/** `unseen` while nothing watched the computer. */
type PhaseSpan = { from: number; to: number; phase: SeenPhase | 'unseen' };

/** `since` is the time since which the phase was seen. */
type CurrentPhase = { phase: SeenPhase; since: number };

const seenPhaseOf = (phase: Phase, reason: StopReason | undefined): SeenPhase =>
	phase === 'stopped' && reason === 'asleep' ? 'asleep' : phase;

// A shorter gap between two spans does not count as unseen.
const maxUnseenGapMs = 120_000;

/**
 * The oldest phase comes first. A phase counts as seen only if its beginning and its end were seen, because a time without
 * changes may have gone unwatched.
 *
 * ```
 *   changes     ····· stopped → active ─────────────── active → stopped ─────── now
 *   lasted      unknown              ├─────────────────┤
 *   spans       unseen               │ active          │ stopped
 * ```
 */
export function phaseSpansOf(
	changes: readonly Change[],
	now: number,
	hours: number,
	currentPhase?: CurrentPhase,
): readonly PhaseSpan[] {
	const start = now - hours * hourMs;
	const spans: PhaseSpan[] = [];
	let coveredUntil = start;
	const addSpan = (from: number, to: number, phase: PhaseSpan['phase']) => {
		const [begin, until] = [Math.max(from, coveredUntil), Math.min(to, now)];
		if (begin >= until) return;
		if (begin > coveredUntil) spans.push({ from: coveredUntil, to: begin, phase: 'unseen' });
		spans.push({ from: begin, to: until, phase });
		coveredUntil = until;
	};

	let lastChange: StatusChange | undefined;
	for (const change of changes) {
		if (change.type !== 'statusChanged') continue;
		const { at, notBefore, from, lasted } = change;
		const until = at - notBefore <= maxUnseenGapMs ? at : notBefore;
		if (from !== null && lasted !== undefined) {
			const reason = lastChange?.to === from ? lastChange.reason : undefined;
			addSpan(at - lasted, until, seenPhaseOf(phaseOf(from), reason));
		}
		lastChange = change;
	}
	const latestSpan = currentSpan(lastChange, currentPhase);
	if (latestSpan) addSpan(latestSpan.since, now, latestSpan.phase);
	if (coveredUntil < now) spans.push({ from: coveredUntil, to: now, phase: 'unseen' });
	return spans;
}

/** The oldest cell comes first. It shows an error at any time of it, or else the phase that lasted longest. */
export function dayStripOf(
	spans: readonly PhaseSpan[],
	now: number,
	hours: number,
	cellCount: number,
): readonly PhaseSpan['phase'][] {
	const cellMs = (hours * hourMs) / cellCount;
	return Array.from({ length: cellCount }, (_, index) => {
		const from = now - hours * hourMs + index * cellMs;
		const times = timesOfPhases(spans, from, from + cellMs);
		if (times.has('error')) return 'error';
		const [longest] = [...times].sort(([, one], [, other]) => other - one);
		return longest?.[0] ?? 'unseen';
	});
}

/** The shares are parts of the watched time, from 0 to 1. */
export function phaseSharesOf(spans: readonly PhaseSpan[]): {
	watchedMs: number;
	shares: ReadonlyMap<SeenPhase, number>;
} {
	const times = timesOfPhases(spans, 0, Number.POSITIVE_INFINITY);
	times.delete('unseen');
	const watchedMs = [...times.values()].reduce((sum, ms) => sum + ms, 0);
	const shares = [...times].map(([phase, ms]) => [phase as SeenPhase, ms / watchedMs] as const);
	return { watchedMs, shares: new Map(shares) };
}

function currentSpan(lastChange: StatusChange | undefined, currentPhase: CurrentPhase | undefined) {
	const phaseAfterChange =
		lastChange && lastChange.to !== null
			? { phase: seenPhaseOf(phaseOf(lastChange.to), lastChange.reason), since: lastChange.at }
			: undefined;
	if (!currentPhase || !lastChange) return currentPhase ?? phaseAfterChange;
	const hasContinued =
		phaseAfterChange?.phase === currentPhase.phase &&
		currentPhase.since - lastChange.at <= maxUnseenGapMs;
	return hasContinued
		? phaseAfterChange
		: { ...currentPhase, since: Math.max(currentPhase.since, lastChange.at) };
}

function timesOfPhases(spans: readonly PhaseSpan[], from: number, to: number) {
	const times = new Map<PhaseSpan['phase'], number>();
	for (const span of spans) {
		const overlapMs = Math.min(span.to, to) - Math.max(span.from, from);
		if (overlapMs > 0) times.set(span.phase, (times.get(span.phase) ?? 0) + overlapMs);
	}
	return times;
}
