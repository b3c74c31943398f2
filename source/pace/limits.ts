/** The platform counts requests in three scopes, each with a limit of its own. */
export type Scope = 'create' | 'status' | 'other';

export const scopes: readonly Scope[] = ['create', 'status', 'other'];

/**
 * The priority of a request. Operations, and reads that a command waits for, go before the reads of a watch.
 */
export type Priority = 'operation' | 'read';

/** The rate limit of one scope. All times are in milliseconds. */
export type Limit = {
	/** How many requests the platform accepts in any window. */
	limit: number;
	window: number;
	/** The share of the limit that is reserved for operations and never used for reads. */
	reservedShare: number;
	/**
	 * How much longer than the window a slot stays taken. The platform counts a request when it arrives, by its
	 * own clock; this program knows only when it sent the request and when the response came.
	 */
	margin: number;
	/**
	 * How long after taking a slot a process may still send its request. A process may be killed before it
	 * reports the response, so this exceeds the timeout of every request.
	 */
	maxTransit: number;
};

export type Limits = Readonly<Record<Scope, Limit>>;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export const documentedLimits: Limits = {
	create: {
		limit: 5,
		window: hourMs,
		reservedShare: 0,
		margin: minuteMs,
		maxTransit: 2 * minuteMs,
	},
	status: { limit: 60, window: minuteMs, reservedShare: 0, margin: secondMs, maxTransit: minuteMs },
	other: {
		limit: 30,
		window: minuteMs,
		reservedShare: 1 / 5,
		margin: secondMs,
		maxTransit: minuteMs,
	},
};

/** How long a slot stays taken after its request was answered or given up, in milliseconds. */
export const slotLifetime = ({ window, margin }: Limit) => window + margin;

/** The part of a response that the rate limiter reads. */
export type ResponseHead = { status: number; headers: Headers };

/** The permission to send one request. The holder calls exactly one of the two methods, once. */
export type Permit = {
	/** Reports a response, whose headers say how much of the budget remains. */
	answered(response: ResponseHead): void;
	/** Reports that no response came. The platform may have counted the request nevertheless. */
	lost(): void;
};

/** Issues a permit for each request, including retries and the further pages of a list. */
export type RateLimiter = {
	/** Waits for a free slot. Rejects with the signal's reason if it is aborted first. */
	acquire(scope: Scope, request: { priority: Priority; signal: AbortSignal }): Promise<Permit>;
};
