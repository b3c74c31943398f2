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

/** How its making goes: everything that can be asked about it follows from these and the time. */
export type Provisioning = {
	startedAt: number;
	lasts: number;
	/** Ends there, as a part of the whole, with what went wrong. */
	failure?: { at: number; message: string };
};

export type Computer = {
	/** Counted from the first one: its place in every list and the key of its own chances. */
	readonly number: number;
	readonly id: string;
	readonly name: string;
	readonly createdAt: number;
	readonly location: string;
	/** In use day and night, so that it never falls asleep by itself. */
	isSteady: boolean;
	state: State;
	since: number;
	/** When the state ends by itself: never, when it is Infinity. */
	dueAt: number;
	provisioning: Provisioning;
	startedAt: number | null;
	version: string | null;
	/** The version that an update under way leads to. */
	targetVersion: string | null;
	error: string | null;
	stoppedBy: 'idleness' | 'owner' | 'credits' | null;
	/** Somebody works on it until then. */
	busyUntil: number;
	ports: readonly Port[];
	/** How many of its own chances it has used up. */
	drawCount: number;
};

/** In percent of what the plan gives; nothing is measured while it does not run. */
export type Usage = { cpu: number | null; memory: number | null; storage: number };

const minute = 60_000;
const day = 86_400_000;

/** Glides from one chance to the next, so that whoever looks often sees it drift. */
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
