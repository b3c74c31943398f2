import type { ResponseHeaders } from '../foundation/network.ts';

export const scopes = ['create', 'status', 'other'] as const;

export type Scope = (typeof scopes)[number];

/** Operations, and what a command waits for; what a person requests from a watch; what a watch reads by itself. */
export const priorities = ['operation', 'requestedRead', 'read'] as const;

export type Priority = (typeof priorities)[number];

export type Limit = {
	maxRequests: number;
	windowMs: number;
	/** Never used for reads. */
	reservedShare: number;
	marginMs: number;
	/** Exceeds the timeout of every request, because a process may be killed before it reports the response. */
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

export const slotLifetimeMs = ({ windowMs, marginMs }: Limit) => windowMs + marginMs;

export const longestSlotMs = (limit: Limit) => limit.maxTransitMs + slotLifetimeMs(limit);

export type ResponseHead = { status: number; headers: ResponseHeaders };

/** The right to send one request now. The holder calls exactly one of the methods, once. */
export type Slot = {
	reportResponse(response: ResponseHead): void;
	reportNoResponse(): void;
	giveBack(): void;
};

export type RateLimiter = {
	acquire(scope: Scope, request: { priority: Priority; signal: AbortSignal }): Promise<Slot>;
};
