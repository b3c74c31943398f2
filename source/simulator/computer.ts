import { fraction, salts } from './random.ts';

export type State =
	| 'provisioning'
	| 'active'
	| 'stopped'
	| 'error'
	| 'stopping'
	| 'starting'
	| 'restarting'
	| 'updating'
	| 'archived';

export type Port = { port: number; shareToken: string };

/** The course of a creation. The stage and the progress are computed from it and the time. */
export type Provisioning = {
	startedAt: number;
	lasts: number;
	/** The point at which the creation fails, as a fraction of its duration, and the error message. */
	failure?: { at: number; message: string };
};

export type Computer = {
	/** Counted from 0. It decides the position in lists, and seeds the computer's random numbers. */
	readonly number: number;
	readonly id: string;
	readonly name: string;
	readonly createdAt: number;
	readonly location: string;
	/** Whether the computer is always in use, so that it never falls asleep. */
	isSteady: boolean;
	state: State;
	since: number;
	/** The time at which the state ends by itself; Infinity if it does not. */
	dueAt: number;
	provisioning: Provisioning;
	startedAt: number | null;
	version: string | null;
	/** The version that a running update installs. */
	targetVersion: string | null;
	error: string | null;
	stoppedBy: 'idleness' | 'owner' | 'credits' | null;
	/** The time until which a person uses the computer. */
	busyUntil: number;
	ports: readonly Port[];
	/** The number of random numbers drawn for this computer so far. */
	drawCount: number;
};

/** The usage in percent of the plan's resources; null while the computer does not run. */
export type Usage = { cpu: number | null; memory: number | null; storage: number };

const minute = 60_000;
const day = 86_400_000;

/** Interpolates between random numbers, so that the usage drifts instead of jumping. */
function drift(seed: number, computer: number, kind: number, step: number, now: number): number {
	const place = Math.floor(now / step);
	const part = now / step - place;
	const from = fraction(seed, salts.load, computer, kind, place);
	const to = fraction(seed, salts.load, computer, kind, place + 1);
	return from + (to - from) * part;
}

const percent = (part: number) => Math.round(1000 * Math.min(1, Math.max(0, part))) / 10;

export function usageAt(seed: number, computer: Computer, now: number): Usage {
	const { number, state, busyUntil, isSteady, createdAt } = computer;
	const size = fraction(seed, salts.load, number);
	const storage = percent(0.08 + 0.5 * size + 0.2 * (1 - Math.exp((createdAt - now) / (60 * day))));
	if (state !== 'active') return { cpu: null, memory: null, storage };

	const isBusy = isSteady || now < busyUntil;
	const cpu = drift(seed, number, 1, minute, now) * (isBusy ? 0.08 + 0.7 * size * size : 0.012);
	const memory = 0.1 + 0.45 * size + 0.25 * drift(seed, number, 2, 20 * minute, now);
	return { cpu: percent(cpu), memory: percent(isBusy ? memory : memory * 0.7), storage };
}
