import type { Computer, LifecycleState } from './computer.ts';
import { balanceAt, burnPerComputerMs, changeCredits } from './credits.ts';
import { provisioningEndTime } from './provisioning.ts';
import { type Range, valueWithin } from './random.ts';
import { latestOf } from './releases.ts';
import { drawRandomFraction, type WorldState } from './world-state.ts';

//   (none) → provisioning → active → stopping → stopped → starting → active
//                   ↓          ↓ ↑                           (asleep: a visitor wakes it)
//                 error → restarting, updating

const minuteMs = 60_000;
const infiniteTime = Number.POSITIVE_INFINITY;

const stateDurationsMs: Partial<Record<LifecycleState, Range>> = {
	stopping: [2_000, 6_000],
	starting: [5_000, 15_000],
	restarting: [6_000, 14_000],
	updating: [12_000, 30_000],
};

const activeDurationMs: Range = [20 * minuteMs, 180 * minuteMs];
const sleepDurationMs: Range = [20 * minuteMs, 150 * minuteMs];

const burnsCredits = (state: LifecycleState) =>
	state === 'active' || state === 'starting' || state === 'restarting' || state === 'updating';

export const canRun = ({ creditAccount }: WorldState, now: number) =>
	balanceAt(creditAccount, now).total > 0;

/** Puts a computer into a state, applies further changes to it, and schedules the end of the state. */
export function enterState(
	world: WorldState,
	computer: Computer,
	state: LifecycleState,
	at: number,
	changes: Partial<Computer> = {},
): void {
	changeBurningCount(world, at, Number(burnsCredits(state)) - Number(burnsCredits(computer.state)));
	Object.assign(computer, { state, stateSince: at }, changes);
	if (state === 'active')
		computer.inUseUntil = at + valueWithin(activeDurationMs, drawRandomFraction(world, computer));
	scheduleStateEnd(world, computer, stateEndTime(world, computer, at));
}

function changeBurningCount(world: WorldState, at: number, difference: number): void {
	if (difference === 0) return;
	world.burningCount += difference;
	changeCredits(world.creditAccount, at, { burnPerMs: world.burningCount * burnPerComputerMs });
}

/**
 * Schedules the end of a computer's state. An earlier entry of the computer stays in the queue. It is skipped
 * later, because its time differs from `stateEndsAt`.
 */
export function scheduleStateEnd(world: WorldState, computer: Computer, at: number): void {
	computer.stateEndsAt = at;
	if (at < infiniteTime)
		world.eventQueue.add({ dueAt: at, number: computer.number, item: computer });
}

function stateEndTime(world: WorldState, computer: Computer, at: number): number {
	const range = stateDurationsMs[computer.state];
	if (range) return at + valueWithin(range, drawRandomFraction(world, computer));
	if (computer.state === 'provisioning') return provisioningEndTime(computer.provisioning);
	if (computer.state === 'active') return sleepTimeOf(world, computer);
	return computer.stoppedBy === 'idleness' && computer.state === 'stopped'
		? at + valueWithin(sleepDurationMs, drawRandomFraction(world, computer))
		: infiniteTime;
}

export function sleepTimeOf(
	{ terms }: WorldState,
	{ isAlwaysInUse, inUseUntil }: Computer,
): number {
	if (isAlwaysInUse || terms.idleMinutes === undefined) return infiniteTime;
	return inUseUntil + terms.idleMinutes * minuteMs;
}

/** Ends the state of a computer and enters the state that follows. */
export function finishState(world: WorldState, computer: Computer, at: number): void {
	stateFinishers[computer.state]?.(world, computer, at);
}

function becomeActive(
	world: WorldState,
	computer: Computer,
	at: number,
	changes: Partial<Computer> = {},
) {
	const version = computer.version ?? latestOf(world.releases).version;
	enterState(world, computer, 'active', at, { startedAt: at, version, ...changes });
}

const stateFinishers: Partial<Record<LifecycleState, typeof finishState>> = {
	provisioning(world, computer, at) {
		const { failure } = computer.provisioning;
		if (failure) enterState(world, computer, 'error', at, { error: failure.message });
		else becomeActive(world, computer, at);
	},
	starting: becomeActive,
	restarting: becomeActive,
	updating: (world, computer, at) =>
		becomeActive(world, computer, at, {
			version: computer.targetVersion,
			targetVersion: null,
			ports: [],
		}),
	stopping: (world, computer, at) =>
		enterState(world, computer, 'stopped', at, { startedAt: null }),
	active(world, computer, at) {
		const sleepTime = sleepTimeOf(world, computer);
		if (at < sleepTime) scheduleStateEnd(world, computer, sleepTime);
		else enterState(world, computer, 'stopping', at, { stoppedBy: 'idleness' });
	},
	stopped(world, computer, at) {
		if (canRun(world, at)) enterState(world, computer, 'starting', at, { stoppedBy: null });
		else scheduleStateEnd(world, computer, stateEndTime(world, computer, at));
	},
};

/** Stops every computer that burns credits, because the account has no credits left. */
export function stopAllBurning(world: WorldState, at: number): void {
	for (const computer of world.computers.values()) {
		if (!burnsCredits(computer.state)) continue;
		enterState(world, computer, 'stopping', at, { stoppedBy: 'credits', targetVersion: null });
	}
}
