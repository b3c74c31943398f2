/** The platform counts requests in three scopes, and each scope has a limit of its own. */
export type Scope = 'create' | 'status' | 'other';

export const scopes: readonly Scope[] = ['create', 'status', 'other'];

/** Operations, and reads that a command waits for, go before the reads of a watch. */
export type Priority = 'operation' | 'read';

/** The rule of one scope. All times are milliseconds. */
export type Limit = {
	/** The most requests in any window. */
	limit: number;
	window: number;
	/** The share of the limit that reads leave free for operations. */
	reserved: number;
	/**
	 * How much longer than the window a slot stays spent. The platform counts a request when it
	 * arrives, by its own clock, and we know only when we sent it and when the answer came.
	 */
	margin: number;
	/**
	 * How long after taking a slot a process may still send its request. This is for processes that
	 * are killed before they report the answer, so it exceeds the timeout of every request.
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

/** How long a slot stays spent after its request was answered or given up. */
export const slotLifetime = ({ window, margin }: Limit) => window + margin;

/** The part of a response that the rate limiter reads. */
export type ResponseHead = { status: number; headers: Headers };

/** Permission to send one request. Its holder calls exactly one of the two methods, once. */
export type Permit = {
	/** A response came. Its headers say what is left of the budget. */
	answered(response: ResponseHead): void;
	/** No response came. The platform may have counted the request nevertheless. */
	lost(): void;
};

/** Every request needs a permit from here, including retries and further pages of a list. */
export type RateLimiter = {
	/** Waits for a free slot. Rejects with the signal's reason if it is aborted first. */
	acquire(scope: Scope, request: { priority: Priority; signal: AbortSignal }): Promise<Permit>;
};
