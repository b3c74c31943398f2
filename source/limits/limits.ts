import type { ResponseHeaders } from '../foundation/network.ts';

export const scopes = ['create', 'status', 'other'] as const;

export type Scope = (typeof scopes)[number];

/**
 * Operations, and reads that a command waits for; reads that a person requests from a watch; reads that a watch sends by
 * itself.
 */
export const priorities = ['operation', 'requestedRead', 'read'] as const;

export type Priority = (typeof priorities)[number];

export type Limit = {
	maxRequests: number;
	windowMs: number;
	/** Never used for reads. */
	reservedShare: number;
	/** The platform counts a request when it arrives, which is between its sending and its response. */
	marginMs: number;
	/**
	 * How long after taking a slot its request may be sent. A process may be killed before it reports the response, so this
	 * exceeds the timeout of every request.
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

export type ResponseHead = { status: number; headers: ResponseHeaders };

/** The right to send one request now. The holder calls exactly one of the methods, once. */
export type Slot = {
	reportResponse(response: ResponseHead): void;
	/** The platform may have counted the request nevertheless. */
	reportNoResponse(): void;
	/** The request was not sent. */
	giveBack(): void;
};

/** Each request takes a slot, including retries and the further pages of a list. */
export type RateLimiter = {
	acquire(scope: Scope, request: { priority: Priority; signal: AbortSignal }): Promise<Slot>;
};
