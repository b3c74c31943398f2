import { randomFraction, randomPurposes } from './random.ts';

export type LifecycleState =
	| 'provisioning'
	| 'active'
	| 'stopped'
	| 'error'
	| 'stopping'
	| 'starting'
	| 'restarting'
	| 'updating'
	| 'archived';

export type PublishedPort = { port: number; shareToken: string };

/** The plan of a creation. Stage and progress are computed from the plan and the time. */
export type Provisioning = {
	startedAt: number;
	durationMs: number;
	/** The point at which the creation fails, as a fraction of its duration, and the error message. */
	failure?: { atFraction: number; message: string };
};

export type Computer = {
	/** The number of the computer, counted from 0. It orders lists and seeds the computer's random numbers. */
	readonly number: number;
	readonly id: string;
	readonly name: string;
	readonly createdAt: number;
	readonly location: string;
	/** Whether people use the computer all the time, so that it never falls asleep. */
	isAlwaysInUse: boolean;
	/**
	 * The time since which the computer's machine does not answer the platform. The platform then reports neither
	 * status nor usage.
	 */
	unreachableSince: number | undefined;
	state: LifecycleState;
	stateSince: number;
	/** The time at which the state ends by itself; Infinity if only an operation ends it. */
	stateEndsAt: number;
	provisioning: Provisioning;
	startedAt: number | null;
	version: string | null;
	/** The version that a running update installs. */
	targetVersion: string | null;
	error: string | null;
	stoppedBy: 'idleness' | 'owner' | 'credits' | null;
	/** The time at which people stop using the computer. The computer falls asleep some idle minutes later. */
	inUseUntil: number;
	ports: readonly PublishedPort[];
	/** The number of random numbers that have been drawn for this computer. */
	randomDrawCount: number;
};

/** The usage in percent of the plan's resources; null while the computer does not run. */
type Usage = { cpu: number | null; memory: number | null; storage: number };

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Returns a number from 0 to 1 that changes slowly: it moves from one random number to the next in each step. */
function driftingFraction(
	seed: number,
	computerNumber: number,
	usageKind: number,
	stepMs: number,
	now: number,
): number {
	const stepIndex = Math.floor(now / stepMs);
	const stepFraction = now / stepMs - stepIndex;
	const from = randomFraction(seed, randomPurposes.load, computerNumber, usageKind, stepIndex);
	const to = randomFraction(seed, randomPurposes.load, computerNumber, usageKind, stepIndex + 1);
	return from + (to - from) * stepFraction;
}

const percentFrom = (fraction: number) =>
	Math.round(1000 * Math.min(1, Math.max(0, fraction))) / 10;

export function usageAt(seed: number, computer: Computer, now: number): Usage {
	const { number, state, inUseUntil, isAlwaysInUse, createdAt } = computer;
	const size = randomFraction(seed, randomPurposes.load, number);
	const storage = percentFrom(
		0.08 + 0.5 * size + 0.2 * (1 - Math.exp((createdAt - now) / (60 * dayMs))),
	);
	if (state !== 'active') return { cpu: null, memory: null, storage };

	const isBusy = isAlwaysInUse || now < inUseUntil;
	const cpu =
		driftingFraction(seed, number, 1, minuteMs, now) * (isBusy ? 0.08 + 0.7 * size * size : 0.012);
	const memory = 0.1 + 0.45 * size + 0.25 * driftingFraction(seed, number, 2, 20 * minuteMs, now);
	return { cpu: percentFrom(cpu), memory: percentFrom(isBusy ? memory : memory * 0.7), storage };
}
