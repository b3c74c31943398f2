import * as v from '../../foundation/schema.ts';
import type { Phase, Reading } from './computer.ts';

export const phaseStartSchema = v.object({ at: v.time, isLowerBound: v.boolean });

export type PhaseStart = v.ValueOf<typeof phaseStartSchema>;

/** Most answers only have an uptime in whole seconds, and take time. */
export const startToleranceMs = 5_000;

export const isSameStart = (one: unknown, other: unknown): boolean =>
	typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= startToleranceMs;

export type Uptime = { milliseconds: number; isLowerBound: boolean };

type RunningComputer = { phase: Phase; reading: Reading; since: PhaseStart };

/** No phase is older than its computer. */
export function phaseStartOf({ phase, reading, since }: RunningComputer): PhaseStart {
	const { createdAt } = reading;
	const start = toldStartOf(phase, reading, since) ?? since;
	return typeof createdAt === 'number' && createdAt > start.at
		? { ...start, at: createdAt }
		: start;
}

function toldStartOf(
	phase: Phase,
	{ createdAt, startedAt, updatedAt }: Reading,
	since: PhaseStart,
): PhaseStart | undefined {
	if (phase === 'active')
		return typeof startedAt === 'number' ? { at: startedAt, isLowerBound: false } : undefined;
	if (phase === 'creating')
		return typeof createdAt === 'number' ? { at: createdAt, isLowerBound: false } : undefined;
	// The record may have changed after the status did, so the phase has lasted at least since then.
	return since.isLowerBound && typeof updatedAt === 'number' && updatedAt < since.at
		? { at: updatedAt, isLowerBound: true }
		: undefined;
}

export function uptimeOf(computer: RunningComputer, now: number): Uptime | undefined {
	if (computer.phase !== 'active') return undefined;
	const { at, isLowerBound } = phaseStartOf(computer);
	return { milliseconds: Math.max(0, now - at), isLowerBound };
}
