import type { Computer, State } from './computer.ts';
import { balanceAt, burnOfOne, creditChange } from './credits.ts';
import { provisioningEnd } from './provisioning.ts';
import { type Range, within } from './random.ts';
import { latestOf } from './releases.ts';
import { draw, type WorldState } from './world-state.ts';

//   (none) → provisioning → active → stopping → stopped → starting → active
//                   ↓          ↓ ↑                           (asleep: a visitor wakes it)
//                 error → restarting, updating

const minute = 60_000;
const never = Number.POSITIVE_INFINITY;

const lasting: Partial<Record<State, Range>> = {
	stopping: [2_000, 6_000],
	starting: [5_000, 15_000],
	restarting: [6_000, 14_000],
	updating: [12_000, 30_000],
};

const session: Range = [20 * minute, 180 * minute];
const absence: Range = [20 * minute, 150 * minute];

const burns = (state: State) =>
	state === 'active' || state === 'starting' || state === 'restarting' || state === 'updating';

export const canRun = ({ account }: WorldState, now: number) => balanceAt(account, now).total > 0;

/** Puts a computer into a state, with what else changes about it, and sets when that state ends. */
export function become(
	world: WorldState,
	computer: Computer,
	state: State,
	at: number,
	change: Partial<Computer> = {},
): void {
	countBurning(world, at, Number(burns(state)) - Number(burns(computer.state)));
	Object.assign(computer, { state, since: at }, change);
	if (state === 'active') computer.busyUntil = at + within(session, draw(world, computer));
	schedule(world, computer, endOf(world, computer, at));
}

function countBurning(world: WorldState, at: number, more: number): void {
	if (more === 0) return;
	world.burning += more;
	creditChange(world.account, at, { burn: world.burning * burnOfOne });
}

/** Whatever waited in the queue for it before finds another time there and is passed over. */
export function schedule(world: WorldState, computer: Computer, at: number): void {
	computer.dueAt = at;
	if (at < never) world.due.add({ at, number: computer.number, what: computer });
}

function endOf(world: WorldState, computer: Computer, at: number): number {
	const range = lasting[computer.state];
	if (range) return at + within(range, draw(world, computer));
	if (computer.state === 'provisioning') return provisioningEnd(computer.provisioning);
	if (computer.state === 'active') return sleepAt(world, computer);
	return computer.stoppedBy === 'idleness' && computer.state === 'stopped'
		? at + within(absence, draw(world, computer))
		: never;
}

export function sleepAt({ terms }: WorldState, { isSteady, busyUntil }: Computer): number {
	if (isSteady || terms.idleMinutes === undefined) return never;
	return busyUntil + terms.idleMinutes * minute;
}

/** What comes after a state that has lasted its time. */
export function moveOn(world: WorldState, computer: Computer, at: number): void {
	ends[computer.state]?.(world, computer, at);
}

function runs(world: WorldState, computer: Computer, at: number, change: Partial<Computer> = {}) {
	const version = computer.version ?? latestOf(world.releases).version;
	become(world, computer, 'active', at, { startedAt: at, version, ...change });
}

const ends: Partial<Record<State, typeof moveOn>> = {
	provisioning(world, computer, at) {
		const { failure } = computer.provisioning;
		if (failure) become(world, computer, 'error', at, { error: failure.message });
		else runs(world, computer, at);
	},
	starting: runs,
	restarting: runs,
	updating: (world, computer, at) =>
		runs(world, computer, at, { version: computer.target, target: null, ports: [] }),
	stopping: (world, computer, at) => become(world, computer, 'stopped', at, { startedAt: null }),
	active(world, computer, at) {
		const sleeps = sleepAt(world, computer);
		if (at < sleeps) schedule(world, computer, sleeps);
		else become(world, computer, 'stopping', at, { stoppedBy: 'idleness' });
	},
	stopped(world, computer, at) {
		if (canRun(world, at)) become(world, computer, 'starting', at, { stoppedBy: null });
		else schedule(world, computer, endOf(world, computer, at));
	},
};

/** Nothing runs on nothing. */
export function stopAllThatBurns(world: WorldState, at: number): void {
	for (const computer of world.computers.values()) {
		if (!burns(computer.state)) continue;
		become(world, computer, 'stopping', at, { stoppedBy: 'credits', target: null });
	}
}
