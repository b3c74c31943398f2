import * as v from '../../foundation/schema.ts';
import type { Phase, Reading } from './computer.ts';

export const phaseStartSchema = v.object({ at: v.time, isLowerBound: v.boolean });

/**
 * When the current phase of a computer was first seen. The phase may have begun earlier, before the first read
 * or during a pause between reads; then `isLowerBound` is true, because the phase has lasted at least since
 * then.
 */
export type PhaseStart = v.ValueOf<typeof phaseStartSchema>;

/**
 * Two start times that differ by less than this many milliseconds mean the same start. The platform reports the uptime in whole
 * seconds, and its answers take time to arrive.
 */
export const startToleranceMs = 5_000;

/** Whether both values are start times, and mean the same start. */
export const isSameStart = (one: unknown, other: unknown): boolean =>
	typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= startToleranceMs;

export type Uptime = { milliseconds: number; isLowerBound: boolean };

type RunningComputer = { phase: Phase; reading: Reading; since: PhaseStart };

/** Returns how long a computer has been running: as the platform reports, or else since it was first seen active. */
export function uptimeOf(
	{ phase, reading, since }: RunningComputer,
	now: number,
): Uptime | undefined {
	if (phase !== 'active') return undefined;
	const { startedAt } = reading;
	const { at, isLowerBound } =
		typeof startedAt === 'number' ? { at: startedAt, isLowerBound: false } : since;
	return { milliseconds: Math.max(0, now - at), isLowerBound };
}
