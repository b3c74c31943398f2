import { dayMs, minuteMs } from '../../foundation/duration.ts';
import { randomCode, randomFraction, randomPurposes } from './random.ts';

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

export type Provisioning = {
	startedAt: number;
	durationMs: number;
	failure?: { atFraction: number; message: string };
};

export type Computer = {
	/** Orders lists and seeds the computer's random numbers. */
	readonly number: number;
	readonly id: string;
	readonly name: string;
	readonly createdAt: number;
	readonly location: string;
	isAlwaysInUse: boolean;
	isIdling?: boolean;
	/** Neither status nor usage is reported of a machine that does not answer. */
	unreachableSince: number | undefined;
	state: LifecycleState;
	stateSince: number;
	stateEndsAt: number;
	provisioning: Provisioning;
	startedAt: number | null;
	version: string | null;
	targetVersion: string | null;
	error: string | null;
	stoppedBy: 'idleness' | 'owner' | 'credits' | null;
	inUseUntil: number;
	ports: readonly PublishedPort[];
	randomDrawCount: number;
};

const starNames = (
	'atlas borealis cygnus draco eridanus fornax gemini hydra indus jabbah kochab lyra mira norma ' +
	'orion pavo quaoar rigel sirius tucana unuk vega wezen xuange yildun zosma ' +
	'altair bellatrix capella deneb enif fomalhaut grus hamal izar juno kraz lepus mimosa nashira ' +
	'octans perseus rastaban scutum tarazed ursa volans zaurak'
).split(' ');

export function starName(number: number): string {
	const round = Math.floor(number / starNames.length);
	const star = starNames[number % starNames.length] ?? '';
	return round === 0 ? star : `${star}-${round + 1}`;
}

export const publishedPort = (seed: number, number: number, port: number): PublishedPort => ({
	port,
	shareToken: randomCode(20, seed, randomPurposes.share, number, port),
});

type Usage = { cpu: number | null; memory: number | null; storage: number };

const percentFrom = (fraction: number) =>
	Math.round(1000 * Math.min(1, Math.max(0, fraction))) / 10;

const maxIdleLoad = 0.049;

export function usageAt(seed: number, computer: Computer, now: number): Usage {
	const { number, state, inUseUntil, isAlwaysInUse, isIdling, createdAt } = computer;
	const random = (...keys: number[]) => randomFraction(seed, randomPurposes.load, number, ...keys);
	const drifting = (usageKind: number, stepMs: number) => {
		const step = Math.floor(now / stepMs);
		const from = random(usageKind, step);
		return from + (random(usageKind, step + 1) - from) * (now / stepMs - step);
	};
	const size = random();
	const storage = percentFrom(
		0.08 + 0.5 * size + 0.2 * (1 - Math.exp((createdAt - now) / (60 * dayMs))),
	);
	if (state !== 'active') return { cpu: null, memory: null, storage };

	const isBusy = isAlwaysInUse || now < inUseUntil;
	const load = drifting(1, minuteMs) * (isBusy ? 0.08 + 0.7 * size * size : 0.012);
	const cpu = isIdling ? Math.min(load, maxIdleLoad) : load;
	const memory = 0.1 + 0.45 * size + 0.25 * drifting(2, 20 * minuteMs);
	return { cpu: percentFrom(cpu), memory: percentFrom(isBusy ? memory : memory * 0.7), storage };
}
