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
	maxTransit: number;
};

export type Limits = Readonly<Record<Scope, Limit>>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const documentedLimits: Limits = {
	create: { limit: 5, window: hour, reserved: 0, margin: minute, maxTransit: 2 * minute },
	status: { limit: 60, window: minute, reserved: 0, margin: second, maxTransit: minute },
	other: { limit: 30, window: minute, reserved: 1 / 5, margin: second, maxTransit: minute },
};

/** How long a slot stays spent once its request is over: answered, or given up. */
export const slotLifetime = ({ window, margin }: Limit) => window + margin;

/** The platform counts requests in three scopes, each with a limit of its own. */
export type Scope = 'create' | 'status' | 'other';

/**
 * A person's operation, and what a command reads for whoever waits for it, goes before the reads of a
 * watch, which nobody waits for.
 */
export type Priority = 'operation' | 'read';

export type ResponseHead = { status: number; headers: Headers };

/** One request's way in. Exactly one of the two is called, once. */
export type Permit = {
	/** The platform answered: its headers tell what is left of the budget. */
	answered(answer: ResponseHead): void;
	/** No answer came. What was sent may still have been counted by the platform. */
	lost(): void;
};

/** Every request to the platform, repeated ones and further pages too, passes here first. */
export type RateLimiter = {
	/** Waits for its turn; rejects with the signal's reason when called off before. */
	acquire(scope: Scope, wish: { priority: Priority; signal: AbortSignal }): Promise<Permit>;
};
