import type { Scope } from './gate.ts';

/** Times in milliseconds. */
export type Limit = {
	/** Requests in any window, at most. */
	limit: number;
	window: number;
	/** The share of the limit that reads leave free for operations. */
	reserved: number;
	/**
	 * How much longer than the window a slot stays spent. The platform counts a request when it
	 * arrives, somewhere between our sending it and its answer, by a clock that is not ours; and a
	 * window of exactly its length may hold its end as well as its beginning.
	 */
	margin: number;
	/**
	 * How long after a slot was taken its request may still arrive there, when nobody ever says how
	 * it went: its sender was killed. Longer than any request's own time limit.
	 */
	patience: number;
};

export type Limits = Readonly<Record<Scope, Limit>>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const documentedLimits: Limits = {
	create: { limit: 5, window: hour, reserved: 0, margin: minute, patience: 2 * minute },
	status: { limit: 60, window: minute, reserved: 0, margin: second, patience: minute },
	other: { limit: 30, window: minute, reserved: 1 / 5, margin: second, patience: minute },
};

/** How long a slot stays spent once its request is over: answered, or given up. */
export const rest = ({ window, margin }: Limit) => window + margin;
