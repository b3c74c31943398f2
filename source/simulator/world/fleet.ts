import { dayMs, hourMs, minuteMs } from '../../foundation/duration.ts';
import { pickItem, randomFraction, randomPurposes, valueWithin } from './random.ts';
import { latestOf } from './releases.ts';
import { type Computer, type LifecycleState, publishedPort } from './simulated-computer.ts';
import type { World } from './world.ts';

const agesMs = [10 * dayMs, 400 * dayMs] as const;
const longStatesMs = [1 * hourMs, 9 * dayMs] as const;
const shortStatesMs = [5 * minuteMs, 3 * hourMs] as const;
const remainingUseMs = [-25 * minuteMs, 120 * minuteMs] as const;
const provisioningAgesMs = [3_000, 12_000] as const;
const usualPorts = [8080, 5173, 3000, 8000] as const;

/** Even a small fleet shows every state. */
const firstStates: Readonly<Record<number, LifecycleState>> = {
	1: 'provisioning',
	2: 'stopped',
	3: 'error',
	4: 'stopping',
	8: 'stopped',
	13: 'provisioning',
	15: 'stopped',
};
const namedStateCount = 24;
const outdatedNumbers = [2, 5, 16];

const birthNumbers =
	({ seed }: World, number: number) =>
	(place: number) =>
		randomFraction(seed, randomPurposes.birth, number, place);

export function addFleet(world: World, count: number, first = 0): void {
	for (let number = first; number < count; number++) {
		const random = birthNumbers(world, number);
		const state = number < namedStateCount ? firstStates[number] : randomState(random(0));
		if (state === 'provisioning') {
			const startedAt = world.now() - valueWithin(provisioningAgesMs, random(1));
			world.provision(world.addComputer(startedAt), startedAt);
		} else addExistingComputer(world, number, state);
	}
}

function randomState(fraction: number): LifecycleState {
	if (fraction < 0.01) return 'error';
	return fraction < 0.25 ? 'stopped' : 'active';
}

export function addExistingComputer(
	world: World,
	number: number,
	state: LifecycleState = 'active',
): Computer {
	const now = world.now();
	const random = birthNumbers(world, number);
	const computer = world.addComputer(now - valueWithin(agesMs, random(1)));
	const isOutdated =
		outdatedNumbers.includes(number) || (number >= namedStateCount && random(2) < 0.15);
	const release = isOutdated ? world.releases().at(-4) : latestOf(world.releases());
	const isAsleep = state === 'stopped' && random(3) < 0.7;
	const isStopped = state === 'stopped' || state === 'stopping';
	if (isAsleep) computer.isAlwaysInUse = false;
	world.enter(computer, state, now, {
		version: release?.version ?? null,
		stoppedBy: isAsleep ? 'idleness' : isStopped ? 'owner' : null,
		error: state === 'error' ? 'image pull failed: disk quota exceeded' : null,
	});
	const sinceMs = valueWithin(computer.isAlwaysInUse ? longStatesMs : shortStatesMs, random(4));
	computer.stateSince =
		now - (state === 'stopping' ? 4_000 : Math.min(sinceMs, now - computer.createdAt));
	if (state === 'active' || state === 'stopping') computer.startedAt = now - sinceMs;
	if (state === 'active') {
		computer.inUseUntil = now + valueWithin(remainingUseMs, random(5));
		computer.stateEndsAt = now + minuteMs;
	}
	if (state !== 'error' && (number === 0 || random(6) <= 0.3)) {
		const ports = number === 0 ? [8080, 5173] : [pickItem(usualPorts, random(7))];
		computer.ports = ports.map(port => publishedPort(world.seed, number, port));
	}
	return computer;
}
