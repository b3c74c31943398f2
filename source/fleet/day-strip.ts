import type { Change, StatusChange } from './change.ts';
import { type Phase, phaseOf } from './computers/computer.ts';
import type { StopReason } from './computers/stop-reason.ts';

/** A phase. `asleep` is a computer that its plan stopped, and `stopped` is one that a person stopped. */
export type SeenPhase = Phase | 'asleep';

/** A phase from one time to another; `unseen` while nothing watched the computer. */
export type PhaseSpan = { from: number; to: number; phase: SeenPhase | 'unseen' };

/** The current phase, and the time since which it was seen. */
type CurrentPhase = { phase: SeenPhase; since: number };

export const seenPhaseOf = (phase: Phase, reason: StopReason | undefined): SeenPhase =>
	phase === 'stopped' && reason === 'asleep' ? 'asleep' : phase;

const hourMs = 3_600_000;

// A gap of at most this length between two spans does not count as unseen.
const maxUnseenGapMs = 120_000;

/**
 * Returns the phases of a computer over the last hours, oldest first. The spans leave no gaps: a time in which
 * the computer was not watched is a span with the phase `unseen`. A phase counts as seen only if its beginning and
 * its end were seen, because a time without changes may have gone unwatched.
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

/**
 * Returns one phase for each cell of the strip, oldest first: `error` if the computer was in error at any time
 * of the cell, otherwise the phase that lasted longest in that time.
 */
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

/** Returns how many milliseconds the computer was watched, and the share of each phase in that time, from 0 to 1. */
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
