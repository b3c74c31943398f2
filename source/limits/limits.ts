import type { ResponseHeaders } from '../foundation/network.ts';

/** The platform counts requests in three scopes, each with a limit of its own. */
export const scopes = ['create', 'status', 'other'] as const;

export type Scope = (typeof scopes)[number];

/**
 * The priority of a request. Operations, and reads that a command waits for, go first, then the reads that a person
 * requests from a watch, and last the reads that a watch sends by itself.
 */
export const priorities = ['operation', 'requestedRead', 'read'] as const;

export type Priority = (typeof priorities)[number];

/** The rate limit of one scope. All times are in milliseconds. */
export type Limit = {
	/** How many requests the platform accepts in any window. */
	maxRequests: number;
	windowMs: number;
	/** The share of the limit that is reserved for operations and never used for reads. */
	reservedShare: number;
	/**
	 * A slot stays taken for this long beyond the window. The platform counts a request when it arrives, by its own
	 * clock, but this program knows only when it sent the request and when the response came.
	 */
	marginMs: number;
	/**
	 * How long after taking a slot a process may still send its request. A process may be killed before it
	 * reports the response, so this exceeds the timeout of every request.
	 */
	maxTransitMs: number;
};

export type LimitsByScope = Readonly<Record<Scope, Limit>>;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export const documentedLimits: LimitsByScope = {
	create: {
		maxRequests: 5,
		windowMs: hourMs,
		reservedShare: 0,
		marginMs: minuteMs,
		maxTransitMs: 2 * minuteMs,
	},
	status: {
		maxRequests: 60,
		windowMs: minuteMs,
		reservedShare: 0,
		marginMs: secondMs,
		maxTransitMs: minuteMs,
	},
	other: {
		maxRequests: 30,
		windowMs: minuteMs,
		reservedShare: 1 / 5,
		marginMs: secondMs,
		maxTransitMs: minuteMs,
	},
};

/** How long a slot stays taken after its request was answered or given up, in milliseconds. */
export const slotLifetimeMs = ({ windowMs, marginMs }: Limit) => windowMs + marginMs;

/** How long a slot stays taken if its process never says how the request ended. */
export const longestSlotMs = (limit: Limit) => limit.maxTransitMs + slotLifetimeMs(limit);

/** The part of a response that the rate limiter reads. */
export type ResponseHead = { status: number; headers: ResponseHeaders };

/** The right to send one request now. The holder calls exactly one of the methods, once. */
export type Slot = {
	/** Reports a response, whose headers say how many requests the platform still accepts. */
	reportResponse(response: ResponseHead): void;
	/** Reports that no response came. The platform may have counted the request nevertheless. */
	reportNoResponse(): void;
	/** Gives the slot back, because the request was not sent. */
	giveBack(): void;
};

/** Hands out a slot for each request, including retries and the further pages of a list. */
export type RateLimiter = {
	/** Waits for a free slot. Rejects with the signal's reason if the signal is aborted first. */
	acquire(scope: Scope, request: { priority: Priority; signal: AbortSignal }): Promise<Slot>;
};
