import type { Computer, LifecycleState, PublishedPort } from './computer.ts';
import { enterState, planProvisioning, scheduleStateEnd, sleepTimeOf } from './lifecycle.ts';
import {
	type NumberRange,
	pickItem,
	randomCode,
	randomFraction,
	randomPurposes,
	valueWithin,
} from './random.ts';
import { latestOf } from './releases.ts';
import { drawRandomFraction, type WorldState } from './world-state.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const locations = ['eu-north', 'eu-west', 'us-east', 'ap-south'] as const;
const usualPorts = [8080, 5173, 3000, 8000] as const;
const computerAgesMs: NumberRange = [10 * dayMs, 400 * dayMs];
const longStateDurationsMs: NumberRange = [1 * hourMs, 9 * dayMs];
const shortStateDurationsMs: NumberRange = [5 * minuteMs, 3 * hourMs];
/** The time for which a computer stays in use. A negative time means that the computer is idle already. */
const remainingUseMs: NumberRange = [-25 * minuteMs, 120 * minuteMs];
const provisioningAgesMs: NumberRange = [3_000, 12_000];

/** The states of the first two dozen computers, so that even a small demo fleet shows every state. */
const firstStates: readonly LifecycleState[] = [
	...(['active', 'provisioning', 'stopped', 'error', 'stopping', 'active'] as const),
	...(['active', 'active', 'stopped', 'active', 'active', 'active'] as const),
	...(['active', 'provisioning', 'active', 'stopped', 'active', 'active'] as const),
	...(['active', 'active', 'active', 'active', 'active', 'active'] as const),
];
const outdatedComputerNumbers = [2, 5, 16];

/** Adds a computer that is being created. The end of the creation is not scheduled yet. */
export function addComputer(world: WorldState, createdAt: number, name?: string): Computer {
	const number = world.createdCount++;
	const computer: Computer = {
		number,
		id: `sb_${randomCode(12, world.seed, randomPurposes.id, number)}`,
		name: name ?? defaultNameOf(number),
		createdAt,
		location: pickItem(locations, randomFraction(world.seed, randomPurposes.place, number)),
		isAlwaysInUse: number === 0 || randomFraction(world.seed, randomPurposes.habit, number) < 0.5,
		unreachableSince: undefined,
		state: 'provisioning',
		stateSince: createdAt,
		stateEndsAt: Number.POSITIVE_INFINITY,
		provisioning: { startedAt: createdAt, durationMs: minuteMs },
		startedAt: null,
		version: null,
		targetVersion: null,
		error: null,
		stoppedBy: null,
		inUseUntil: createdAt,
		ports: [],
		randomDrawCount: 0,
	};
	world.computers.set(computer.id, computer);
	return computer;
}

export function startProvisioning(world: WorldState, computer: Computer, at: number): void {
	const provisioning = planProvisioning(() => drawRandomFraction(world, computer), at);
	enterState(world, computer, 'provisioning', at, { provisioning });
}

/** Adds computers in all states. `first` is the number of the first of them. */
export function addFleet(world: WorldState, count: number, first = 0): void {
	for (let number = first; number < count; number++) {
		const part = createComputerRandom(world, number);
		const state = firstStates[number] ?? randomStateFrom(part(0));
		if (state === 'provisioning') {
			const startedAt = world.now - valueWithin(provisioningAgesMs, part(1));
			startProvisioning(world, addComputer(world, startedAt), startedAt);
		} else {
			addExistingComputer(world, state, part);
		}
	}
}

/**
 * Returns the random numbers for the properties of a computer that exists from the beginning. `place` says which
 * number.
 */
export const createComputerRandom =
	({ seed }: WorldState, number: number) =>
	(place: number) =>
		randomFraction(seed, randomPurposes.birth, number, place);

const randomStateFrom = (part: number): LifecycleState => {
	if (part < 0.01) return 'error';
	return part < 0.25 ? 'stopped' : 'active';
};

/** Adds a computer that was created days or months ago. */
export function addExistingComputer(
	world: WorldState,
	state: LifecycleState,
	randomFractionFor: (place: number) => number,
): Computer {
	const { now, releases } = world;
	const computer = addComputer(world, now - valueWithin(computerAgesMs, randomFractionFor(1)));
	const isOutdated =
		outdatedComputerNumbers.includes(computer.number) ||
		(computer.number > 23 && randomFractionFor(2) < 0.15);
	const version = (isOutdated ? releases.at(-4) : latestOf(releases))?.version ?? null;
	const isAsleep = state === 'stopped' && randomFractionFor(3) < 0.7;
	if (isAsleep) computer.isAlwaysInUse = false;
	enterState(world, computer, state, now, {
		version,
		...(state === 'stopped' && { stoppedBy: isAsleep ? 'idleness' : 'owner' }),
		...(state === 'stopping' && { stoppedBy: 'owner' }),
		...(state === 'error' && { error: 'image pull failed: disk quota exceeded' }),
	});
	const stateDurationMs = valueWithin(
		computer.isAlwaysInUse ? longStateDurationsMs : shortStateDurationsMs,
		randomFractionFor(4),
	);
	computer.stateSince =
		now - (state === 'stopping' ? 4_000 : Math.min(stateDurationMs, now - computer.createdAt));
	if (state === 'active' || state === 'stopping') computer.startedAt = now - stateDurationMs;
	if (state === 'active') {
		computer.inUseUntil = now + valueWithin(remainingUseMs, randomFractionFor(5));
		scheduleStateEnd(world, computer, Math.max(now + minuteMs, sleepTimeOf(world, computer)));
	}
	if (state !== 'error') computer.ports = randomPorts(world, computer, randomFractionFor);
	return computer;
}

function randomPorts(
	world: WorldState,
	{ number }: Computer,
	randomFractionFor: (place: number) => number,
) {
	if (number > 0 && randomFractionFor(6) > 0.3) return [];
	const first = pickItem(usualPorts, randomFractionFor(7));
	const ports = number === 0 ? [8080, 5173] : [first];
	return ports.map(port => createPublishedPort(world, number, port));
}

export const createPublishedPort = (
	{ seed }: WorldState,
	number: number,
	port: number,
): PublishedPort => ({
	port,
	shareToken: randomCode(20, seed, randomPurposes.share, number, port),
});

const starNames = (
	'atlas borealis cygnus draco eridanus fornax gemini hydra indus jabbah kochab lyra mira norma ' +
	'orion pavo quaoar rigel sirius tucana unuk vega wezen xuange yildun zosma ' +
	'altair bellatrix capella deneb enif fomalhaut grus hamal izar juno kraz lepus mimosa nashira ' +
	'octans perseus rastaban scutum tarazed ursa volans zaurak'
).split(' ');

/** Returns the default name of a computer: the name of a star, with a number once all stars are used. */
function defaultNameOf(number: number): string {
	const round = Math.floor(number / starNames.length);
	const star = starNames[number % starNames.length] ?? '';
	return round === 0 ? star : `${star}-${round + 1}`;
}
