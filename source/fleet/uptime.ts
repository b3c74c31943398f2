import type { Phase, Reading } from './computer.ts';

/**
 * When the current phase of a computer was first seen. It is a lower bound if the phase began earlier, before
 * the first read or while nothing watched.
 */
export type Since = { at: number; isLowerBound: boolean };

/**
 * Start times closer together than this are the same start: the platform reports the uptime in whole
 * seconds, and its answers take time to arrive.
 */
export const startTolerance = 5_000;

export type Uptime = { milliseconds: number; isLowerBound: boolean };

type Running = { phase: Phase; reading: Reading; since: Since };

/** How long a computer has been running: as the platform reports, or since it was seen to become active. */
export function uptimeOf({ phase, reading, since }: Running, now: number): Uptime | undefined {
	if (phase !== 'active') return undefined;
	const { startedAt } = reading;
	const { at, isLowerBound } =
		typeof startedAt === 'number' ? { at: startedAt, isLowerBound: false } : since;
	return { milliseconds: Math.max(0, now - at), isLowerBound };
}
