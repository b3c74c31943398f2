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

const minuteMs = 60_000;

const perMinute = (maxRequests: number, reservedShare = 0): Limit => ({
	maxRequests,
	windowMs: minuteMs,
	reservedShare,
	marginMs: 1_000,
	maxTransitMs: minuteMs,
});

export const documentedLimits: LimitsByScope = {
	create: {
		maxRequests: 5,
		windowMs: 60 * minuteMs,
		reservedShare: 0,
		marginMs: minuteMs,
		maxTransitMs: 2 * minuteMs,
	},
	status: perMinute(60),
	other: perMinute(30, 1 / 5),
};

/** All requests take their slots in one scope, whatever their own. */
export function limitsOfAll(maxRequestsPerMinute: number): LimitsByScope {
	const rule = perMinute(maxRequestsPerMinute);
	return { create: rule, status: rule, other: rule };
}

export const slotLifetimeMs = ({ windowMs, marginMs }: Limit) => windowMs + marginMs;

export const longestSlotMs = (limit: Limit) => limit.maxTransitMs + slotLifetimeMs(limit);

export type ResponseHead = { status: number; headers: ResponseHeaders };

/** The right to send one request now. Only its first end counts. */
export type Slot = {
	end(ending: ResponseHead | 'noResponse' | 'notSent'): void;
};

export type SlotRequest = { priority: Priority; signal: AbortSignal };

export type RateLimiter = { acquire(scope: Scope, request: SlotRequest): Promise<Slot> };
