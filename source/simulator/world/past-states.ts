import type { Computer } from './computer.ts';
import { createComputerRandom } from './population.ts';
import { type NumberRange, valueWithin } from './random.ts';
import type { WorldState } from './world-state.ts';

// The states that a computer of a large fleet had before the world was opened:
//
//   asleep now        asleep ──▶ active for an hour or two ──▶ asleep
//   stopped, failed              active for some days      ──▶ stopped or failed
//   active                       active since it was created

/** A computer as it was after a change of its state. */
export type PastState = { at: number; computer: Computer };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const usesBetweenSleepsMs: NumberRange = [40 * minuteMs, 210 * minuteMs];
const longUsesMs: NumberRange = [60 * minuteMs, 9 * dayMs];
const sleepMs = 90 * minuteMs;

/** Returns the last states of a computer, oldest first. */
export function statesBefore(world: WorldState, computer: Computer): readonly PastState[] {
	const { state, createdAt, stateSince, stoppedBy, number } = computer;
	if (state !== 'error' && state !== 'stopped')
		return [{ at: createdAt, computer: { ...computer } }];
	const isAsleep = stoppedBy === 'idleness';
	const useMs = valueWithin(
		isAsleep ? usesBetweenSleepsMs : longUsesMs,
		createComputerRandom(world, number)(8),
	);
	const startedAt = Math.max(createdAt, stateSince - useMs);
	const active = { state: 'active', startedAt, error: null, stoppedBy: null } as const;
	const changes: PastState[] = [
		{ at: startedAt, computer: { ...computer, ...active, stateSince: startedAt } },
		{ at: stateSince, computer: { ...computer } },
	];
	if (!isAsleep) return changes;
	const asleepSince = Math.max(createdAt, startedAt - sleepMs);
	return [{ at: asleepSince, computer: { ...computer, stateSince: asleepSince } }, ...changes];
}

/**
 * Returns the sleep before the first of the states that are shown; undefined if the computer was created after `since`, so
 * that it is new then.
 */
export function sleepBefore(first: PastState | undefined, since: number): PastState | undefined {
	if (!first || first.computer.createdAt > since) return undefined;
	const at = Math.max(first.computer.createdAt, first.at - sleepMs);
	const asleep = { state: 'stopped', stoppedBy: 'idleness', startedAt: null, error: null } as const;
	return { at, computer: { ...first.computer, ...asleep, stateSince: at } };
}
