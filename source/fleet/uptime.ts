import type { Phase, Reading } from './computer.ts';

/**
 * When the present phase of a computer was first seen. It is a lower bound when the phase had begun
 * before: at the first sight of all, or while nobody watched.
 */
export type Since = { at: number; isLowerBound: boolean };

/**
 * Start times closer together than this are the same start: the platform reports the uptime in whole
 * seconds, and its answers take time to arrive.
 */
export const startTolerance = 5_000;

export type Uptime = { milliseconds: number; isLowerBound: boolean };

type Running = { phase: Phase; reading: Reading; since: Since };

/** How long it has been running: as the platform tells, else since it was seen to become active. */
export function uptimeOf({ phase, reading, since }: Running, now: number): Uptime | undefined {
	if (phase !== 'active') return undefined;
	const { startedAt } = reading;
	const { at, isLowerBound } =
		typeof startedAt === 'number' ? { at: startedAt, isLowerBound: false } : since;
	return { milliseconds: Math.max(0, now - at), isLowerBound };
}
