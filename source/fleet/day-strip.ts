import type { Change, StatusChange } from './change.ts';
import { type Phase, phaseOf } from './computer.ts';

/** A phase from one time to another; `unseen` while nothing watched the computer. */
export type PhaseSpan = { from: number; to: number; phase: Phase | 'unseen' };

/** The current phase, and the time since which it was seen. */
export type CurrentPhase = { phase: Phase; since: number };

const hour = 3_600_000;

// A gap between two spans that is at most this long does not count as unseen.
const maxUnseenGapMs = 120_000;

/**
 * The phases of the last hours without gaps, oldest first. A phase counts as seen only if its beginning and its
 * end were seen. A time without changes may just have gone unwatched.
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
	present?: CurrentPhase,
): readonly PhaseSpan[] {
	const start = now - hours * hour;
	const stretches: PhaseSpan[] = [];
	let end = start;
	const add = (from: number, to: number, phase: PhaseSpan['phase']) => {
		const [begin, until] = [Math.max(from, end), Math.min(to, now)];
		if (begin >= until) return;
		if (begin > end) stretches.push({ from: end, to: begin, phase: 'unseen' });
		stretches.push({ from: begin, to: until, phase });
		end = until;
	};

	let last: StatusChange | undefined;
	for (const change of changes) {
		if (change.type !== 'statusChanged') continue;
		const { at, notBefore, from, lasted } = change;
		const until = at - notBefore <= maxUnseenGapMs ? at : notBefore;
		if (from !== null && lasted !== undefined) add(at - lasted, until, phaseOf(from));
		last = change;
	}
	const still = currentSpan(last, present);
	if (still) add(still.since, now, still.phase);
	if (end < now) stretches.push({ from: end, to: now, phase: 'unseen' });
	return stretches;
}

/**
 * One phase per cell, oldest first: error if there was any error in it, or else the phase that lasted longest.
 */
export function dayStripOf(
	changes: readonly Change[],
	now: number,
	hours: number,
	cells: number,
	present?: CurrentPhase,
): readonly PhaseSpan['phase'][] {
	const stretches = phaseSpansOf(changes, now, hours, present);
	const cell = (hours * hour) / cells;
	return Array.from({ length: cells }, (_, place) => {
		const from = now - hours * hour + place * cell;
		const times = timeInPhases(stretches, from, from + cell);
		if (times.has('error')) return 'error';
		const [longest] = [...times].sort(([, one], [, other]) => other - one);
		return longest?.[0] ?? 'unseen';
	});
}

/** How many milliseconds the computer was watched, and the share of each phase in that time. */
export function phaseSharesOf(stretches: readonly PhaseSpan[]): {
	watched: number;
	shares: ReadonlyMap<Phase, number>;
} {
	const shares = new Map<Phase, number>();
	let watched = 0;
	for (const { from, to, phase } of stretches) {
		if (phase === 'unseen') continue;
		watched += to - from;
		shares.set(phase, (shares.get(phase) ?? 0) + to - from);
	}
	for (const [phase, time] of shares) shares.set(phase, time / watched);
	return { watched, shares };
}

function currentSpan(last: StatusChange | undefined, present: CurrentPhase | undefined) {
	const latest = last && last.to !== null ? { phase: phaseOf(last.to), since: last.at } : undefined;
	if (!present || !last) return present ?? latest;
	const isGoingOn = latest?.phase === present.phase && present.since - last.at <= maxUnseenGapMs;
	return isGoingOn ? latest : { ...present, since: Math.max(present.since, last.at) };
}

function timeInPhases(stretches: readonly PhaseSpan[], from: number, to: number) {
	const times = new Map<PhaseSpan['phase'], number>();
	for (const stretch of stretches) {
		const time = Math.min(stretch.to, to) - Math.max(stretch.from, from);
		if (time > 0) times.set(stretch.phase, (times.get(stretch.phase) ?? 0) + time);
	}
	return times;
}
