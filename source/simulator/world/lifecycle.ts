import type { Computer, LifecycleState, Provisioning } from './computer.ts';
import { balanceAt, burnPerComputerMs, changeCredits } from './credits.ts';
import { type NumberRange, pickItem, valueWithin } from './random.ts';
import { latestOf } from './releases.ts';
import { drawRandomFraction, type WorldState } from './world-state.ts';

//   (none) → provisioning → active → stopping → stopped → starting → active
//                   ↓          ↓ ↑                           (asleep: a visitor wakes it)
//                 error → restarting, updating

const minuteMs = 60_000;
const infiniteTime = Number.POSITIVE_INFINITY;

const stateDurationsMs: Partial<Record<LifecycleState, NumberRange>> = {
	stopping: [2_000, 6_000],
	starting: [5_000, 15_000],
	restarting: [6_000, 14_000],
	updating: [12_000, 30_000],
};

const activeDurationMs: NumberRange = [20 * minuteMs, 180 * minuteMs];
const sleepDurationMs: NumberRange = [20 * minuteMs, 150 * minuteMs];

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
	// After a change of its state, the platform reaches the computer again, if necessary on another machine.
	Object.assign(computer, { state, stateSince: at, unreachableSince: undefined }, changes);
	if (state === 'active')
		computer.inUseUntil = at + valueWithin(activeDurationMs, drawRandomFraction(world, computer));
	scheduleStateEnd(world, computer, stateEndTime(world, computer, at));
	world.onTransition?.(computer, at);
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
export function stopComputersThatCost(world: WorldState, at: number): void {
	for (const computer of world.computers.values()) {
		if (!burnsCredits(computer.state)) continue;
		enterState(world, computer, 'stopping', at, { stoppedBy: 'credits', targetVersion: null });
	}
}

type ProvisioningStage = { name: string; startsAt: number; message: string };

/** The stages of a creation, as the platform's document has them and as a service that creates servers has them. */
const stagesBySequence = {
	documented: [
		{ name: 'creating', startsAt: 0, message: 'Creating the computer' },
		{ name: 'loading_image', startsAt: 0.15, message: 'Loading the image' },
		{ name: 'ready', startsAt: 0.96, message: 'Ready' },
	],
	server: [
		{ name: 'server_creating', startsAt: 0, message: 'Creating the server' },
		{ name: 'server_created', startsAt: 0.12, message: 'The server exists' },
		{ name: 'cloud_init_running', startsAt: 0.18, message: 'Setting the server up' },
		{ name: 'cloud_init_done', startsAt: 0.38, message: 'The server is set up' },
		{ name: 'docker_pulling', startsAt: 0.42, message: 'Pulling the image' },
		{ name: 'docker_running', startsAt: 0.72, message: 'The container runs' },
		{ name: 'services_starting', startsAt: 0.78, message: 'Starting services' },
		{ name: 'services_ready', startsAt: 0.96, message: 'Services are ready' },
	],
} as const satisfies Record<string, readonly ProvisioningStage[]>;

type StageSequence = keyof typeof stagesBySequence;

type StageReport = { stage: string; progress: number; message: string };

const failureMessages = [
	'image pull failed: disk quota exceeded',
	'no capacity left in the chosen location',
	'network attach failed: address pool exhausted',
	'services did not become ready within 300 s',
] as const;

/** Plans a creation, which takes about a minute and fails in 6 % of all cases. */
export function planProvisioning(draw: () => number, startedAt: number): Provisioning {
	const durationMs = Math.round(42_000 + draw() * 33_000);
	if (draw() >= 0.06) return { startedAt, durationMs };
	return {
		startedAt,
		durationMs,
		failure: { atFraction: 0.3 + draw() * 0.6, message: pickItem(failureMessages, draw()) },
	};
}

export const provisioningEndTime = ({ startedAt, durationMs, failure }: Provisioning) =>
	startedAt + Math.round(durationMs * (failure?.atFraction ?? 1));

function finishedFraction({ state, error, provisioning }: Computer, now: number) {
	const { startedAt, durationMs, failure } = provisioning;
	if (state === 'provisioning') return (now - startedAt) / durationMs;
	return failure && error === failure.message ? failure.atFraction : 1;
}

export function stageReportOf(
	computer: Computer,
	now: number,
	sequenceName: StageSequence,
): StageReport {
	const finished = finishedFraction(computer, now);
	const { name = '', message = '' } =
		stagesBySequence[sequenceName].findLast(({ startsAt }) => startsAt <= finished) ?? {};
	return { stage: name, progress: Math.floor(finished * 100), message };
}

export function stagesOf(
	computer: Computer,
	now: number,
	sequenceName: StageSequence,
): readonly { name: string; status: 'done' | 'running' | 'waiting' }[] {
	const sequence = stagesBySequence[sequenceName];
	const finished = finishedFraction(computer, now);
	const currentIndex = sequence.findLastIndex(({ startsAt }) => startsAt <= finished);
	const statusAt = (index: number) => {
		if (index < currentIndex || finished === 1) return 'done';
		return index === currentIndex ? 'running' : 'waiting';
	};
	return sequence.map(({ name }, index) => ({ name, status: statusAt(index) }));
}
