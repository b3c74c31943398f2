import type { Computer, State } from './computer.ts';
import { balanceAt, burnPerComputer, changeCredits } from './credits.ts';
import { provisioningEnd } from './provisioning.ts';
import { between, type Range } from './random.ts';
import { latestOf } from './releases.ts';
import { draw, type WorldState } from './world-state.ts';

//   (none) → provisioning → active → stopping → stopped → starting → active
//                   ↓          ↓ ↑                           (asleep: a visitor wakes it)
//                 error → restarting, updating

const minute = 60_000;
const never = Number.POSITIVE_INFINITY;

const stateDurations: Partial<Record<State, Range>> = {
	stopping: [2_000, 6_000],
	starting: [5_000, 15_000],
	restarting: [6_000, 14_000],
	updating: [12_000, 30_000],
};

const activeTime: Range = [20 * minute, 180 * minute];
const sleepTime: Range = [20 * minute, 150 * minute];

const burnsCredits = (state: State) =>
	state === 'active' || state === 'starting' || state === 'restarting' || state === 'updating';

export const canRun = ({ account }: WorldState, now: number) => balanceAt(account, now).total > 0;

/** Puts a computer into a state, applies further changes, and schedules the end of that state. */
export function enterState(
	world: WorldState,
	computer: Computer,
	state: State,
	at: number,
	change: Partial<Computer> = {},
): void {
	changeBurningCount(world, at, Number(burnsCredits(state)) - Number(burnsCredits(computer.state)));
	Object.assign(computer, { state, since: at }, change);
	if (state === 'active') computer.busyUntil = at + between(activeTime, draw(world, computer));
	schedule(world, computer, endOfState(world, computer, at));
}

function changeBurningCount(world: WorldState, at: number, difference: number): void {
	if (difference === 0) return;
	world.burningCount += difference;
	changeCredits(world.account, at, { burn: world.burningCount * burnPerComputer });
}

/** Schedules the next event. An older entry stays in the queue, and is skipped as its time is not `dueAt`. */
export function schedule(world: WorldState, computer: Computer, at: number): void {
	computer.dueAt = at;
	if (at < never) world.due.add({ at, number: computer.number, what: computer });
}

function endOfState(world: WorldState, computer: Computer, at: number): number {
	const range = stateDurations[computer.state];
	if (range) return at + between(range, draw(world, computer));
	if (computer.state === 'provisioning') return provisioningEnd(computer.provisioning);
	if (computer.state === 'active') return sleepAt(world, computer);
	return computer.stoppedBy === 'idleness' && computer.state === 'stopped'
		? at + between(sleepTime, draw(world, computer))
		: never;
}

export function sleepAt({ terms }: WorldState, { isSteady, busyUntil }: Computer): number {
	if (isSteady || terms.idleMinutes === undefined) return never;
	return busyUntil + terms.idleMinutes * minute;
}

/** Enters the state that follows a state whose time is over. */
export function finishState(world: WorldState, computer: Computer, at: number): void {
	finishers[computer.state]?.(world, computer, at);
}

function becomeActive(
	world: WorldState,
	computer: Computer,
	at: number,
	change: Partial<Computer> = {},
) {
	const version = computer.version ?? latestOf(world.releases).version;
	enterState(world, computer, 'active', at, { startedAt: at, version, ...change });
}

const finishers: Partial<Record<State, typeof finishState>> = {
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
		const sleeps = sleepAt(world, computer);
		if (at < sleeps) schedule(world, computer, sleeps);
		else enterState(world, computer, 'stopping', at, { stoppedBy: 'idleness' });
	},
	stopped(world, computer, at) {
		if (canRun(world, at)) enterState(world, computer, 'starting', at, { stoppedBy: null });
		else schedule(world, computer, endOfState(world, computer, at));
	},
};

/** Stops every computer that burns credits, when the account has no credits left. */
export function stopAllBurning(world: WorldState, at: number): void {
	for (const computer of world.computers.values()) {
		if (!burnsCredits(computer.state)) continue;
		enterState(world, computer, 'stopping', at, { stoppedBy: 'credits', targetVersion: null });
	}
}
