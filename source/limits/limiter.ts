import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import {
	type Limit,
	longestSlotMs,
	type Priority,
	priorities,
	type RateLimiter,
	type RateLimitHeaders,
	type ResponseHead,
	rateLimitHeadersFrom,
	type Scope,
	type Slot,
	type SlotRequest,
	scopes,
	shareWhenAlone,
	slotLifetimeMs,
} from './limits.ts';
import { maxRefusalMs, type RequestLog, slotEndOf, type Take } from './request-log.ts';

type SlotsByScope = Readonly<Record<Scope, Slots>>;

export type Limiter = ReturnType<typeof createLimiter>;

type Waiter = { scope: Scope; priority: Priority; grant(slot: Slot): void };

// While requests wait, requests of other processes may end or be refused, and the machine may sleep.
const checksPerWindow = 12;

const maxChanceMs = 200;

const maxClosingMs = 300;

//  acquire ──> queue ──> write a take in the log, read the log ──> slot ──> the request ended
//                ▲                │ the limit is used up                        │
//                └──── wait <─────┘ (others were faster: free the take)     `done` in the log

export function createLimiter(clock: Clock, random: () => number, log: RequestLog) {
	const { limits } = log;
	const listeners = createListeners();
	const queues: Record<Scope, Waiter[]> = { create: [], status: [], other: [] };
	const inFlight = new Set<Slot>();
	const timers = new Map<Scope, () => void>();
	let share = 1;
	const closing = new AbortController();
	let knownRefusals = '';

	const slotsOf = (scope: Scope, before?: Take) => slotsFrom(log, scope, share, before);

	function serve(scope: Scope) {
		timers.get(scope)?.();
		timers.delete(scope);
		const queue = queues[scope];
		let hasGranted = false;
		for (let first = queue[0]; first; first = queue[0]) {
			const slot = takeSlot(first);
			if (!slot) {
				waitAndServe(first);
				break;
			}
			queue.shift();
			first.grant(slot);
			hasGranted = true;
		}
		if (hasGranted) listeners.notify();
	}

	function serveAndTell(scope: Scope) {
		serve(scope);
		listeners.notify();
	}

	function waitAndServe({ scope, priority }: Waiter) {
		const { free, nextAt } = slotsOf(scope);
		const freeInMs = free[priority] > 0 ? 0 : nextAt[priority] - clock.now();
		const chanceMs = log.hasOthers(scope) ? random() * maxChanceMs : 0;
		const waitMs = Math.min(freeInMs + chanceMs, limits[scope].windowMs / checksPerWindow);
		timers.set(
			scope,
			clock.after(Math.max(1, waitMs), () => serveAndTell(scope)),
		);
	}

	function takeSlot({ scope, priority }: Waiter): Slot | undefined {
		log.refresh();
		if (slotsOf(scope).free[priority] < 1) return undefined;
		const take = log.take(scope);
		if (!take) return undefined;
		// A stopped process would send its request when the slot has nearly ended.
		const isLate = log.now() - take.at >= limits[scope].maxTransitMs / 2;
		if (isLate || slotsOf(scope, take).free[priority] < 1) {
			log.free(take);
			return undefined;
		}
		if (priority !== 'operation') take.share = share;
		return slotFor(take);
	}

	function slotFor(take: Take): Slot {
		const slot: Slot = {
			end(ending) {
				if (!inFlight.delete(slot)) return;
				if (ending === 'notSent') log.free(take);
				else if (ending === 'noResponse') log.done(take);
				else noteResponse(take, ending);
				serveAndTell(take.scope);
			},
		};
		inFlight.add(slot);
		return slot;
	}

	function noteResponse(take: Take, { status, headers }: ResponseHead) {
		const rule = limits[take.scope];
		const all = rateLimitHeadersFrom(headers, clock.now());
		// A 503 with Retry-After is a refusal, like a 429. With any other status, Retry-After does not concern the limit.
		const isRefused = status === 429 || (status === 503 && (all.retryInMs ?? 0) > 0);
		const counts = isRefused ? all : { ...all, retryInMs: undefined };
		const { limit, remaining } = counts;
		const hasReport = limit !== undefined || remaining !== undefined;
		const forMs = requestedWaitMs(counts, rule) ?? slotLifetimeMs(rule);
		log.done(take, hasReport ? { limit, remaining, forMs } : undefined);
		if (isRefused) noteRefusal(take, counts);
	}

	/** Requests that were in flight together count as one refusal, with the longest of their waits. */
	function noteRefusal({ scope, at }: Take, headers: RateLimitHeaders) {
		const rule = limits[scope];
		const { refusal } = log.counted(scope);
		const isSame = refusal !== undefined && at <= refusal.at;
		const times = (refusal?.times ?? 0) + (isSame ? 0 : 1);
		const requestedMs = requestedWaitMs(headers, rule) ?? 0;
		const backoffMs = Math.min(rule.windowMs, (rule.windowMs / 60) * 2 ** (times - 1));
		const waitMs = Math.ceil(backoffMs * (0.5 + random() / 2));
		// A second refusal shows that the requested wait was too short.
		const isEnough = requestedMs > 0 && times === 1;
		log.refused(scope, isEnough ? requestedMs : Math.max(requestedMs, waitMs), times);
	}

	function noticeRefusals() {
		const refusals = scopes.map(scope => log.counted(scope).refusal?.until ?? '').join(' ');
		if (refusals === knownRefusals) return;
		knownRefusals = refusals;
		listeners.notify();
	}

	function slots(): SlotsByScope {
		log.refresh();
		return { create: slotsOf('create'), status: slotsOf('status'), other: slotsOf('other') };
	}

	return {
		acquire: (scope: Scope, request: SlotRequest): Promise<Slot> =>
			new Promise((resolve, reject) => {
				const signal = AbortSignal.any([request.signal, closing.signal]);
				if (signal.aborted) return reject(signal.reason);
				const { priority } = request;
				const queue = queues[scope];
				const waiter: Waiter = {
					scope,
					priority,
					grant(slot) {
						signal.removeEventListener('abort', leave);
						resolve(slot);
					},
				};
				function leave() {
					queue.splice(queue.indexOf(waiter), 1);
					if (queue.length === 0) timers.get(scope)?.();
					reject(signal.reason);
				}
				signal.addEventListener('abort', leave);
				const rank = priorities.indexOf(priority);
				const next = queue.findIndex(each => priorities.indexOf(each.priority) > rank);
				queue.splice(next < 0 ? queue.length : next, 0, waiter);
				serve(scope);
			}),
		slots,
		/** Does not concern reads that a person requests. */
		slotsWithin(newShare: number): SlotsByScope {
			const hasChanged = newShare !== share;
			share = newShare;
			if (hasChanged) for (const scope of scopes) serve(scope);
			const present = slots();
			noticeRefusals();
			return present;
		},
		subscribe: listeners.subscribe,
		/** A refusal of a request in flight concerns the other processes, so its response is awaited for a moment. */
		async close(): Promise<void> {
			closing.abort(new DOMException('The program is closing', 'AbortError'));
			if (inFlight.size === 0) return;
			let stop = () => {};
			let cancelTimer = () => {};
			await new Promise<void>(resolve => {
				cancelTimer = clock.after(maxClosingMs, resolve);
				stop = listeners.subscribe(() => inFlight.size === 0 && resolve());
			});
			cancelTimer();
			stop();
			for (const slot of inFlight) slot.end('noResponse');
		},
	};
}

/** Caps the requests of all accounts together, for a platform that counts requests by IP address. */
export type RequestCap = ReturnType<typeof createRequestCap>;

export const createRequestCap = (cap: Limiter, onWait: (until: number) => void = () => {}) => ({
	capRequests: (limiter: RateLimiter): RateLimiter => ({
		// An account that waits for its own limit takes nothing from the others.
		async acquire(scope, request) {
			const slot = await limiter.acquire(scope, request);
			const { free, nextAt } = cap.slots().other;
			if (free.operation === 0) onWait(nextAt.operation);
			const ofCap = await cap.acquire('other', request).catch(error => {
				slot.end('notSent');
				throw error;
			});
			return {
				end(ending) {
					ofCap.end(typeof ending === 'string' ? ending : 'noResponse');
					slot.end(ending);
				},
			};
		},
	}),
	close: cap.close,
});

// Retry-After takes precedence over the reset time. The reset is at most one window away, even if the clocks disagree.
function requestedWaitMs({ resetInMs, retryInMs }: RateLimitHeaders, rule: Limit) {
	if (retryInMs !== undefined && retryInMs > 0) return Math.ceil(Math.min(retryInMs, maxRefusalMs));
	if (resetInMs === undefined) return undefined;
	return Math.ceil(Math.min(Math.max(0, resetInMs), slotLifetimeMs(rule)));
}

export type Slots = {
	/** The documented limit, or a lower one that the platform has reported. */
	limit: number;
	free: Readonly<Record<Priority, number>>;
	nextAt: Readonly<Record<Priority, number>>;
	readsPerMs: number;
	frozenUntil: number | undefined;
	spentElsewhere: number;
};

// Only the responses to requests reveal how many requests other clients send.
const minShareOfLimit = 1 / 12;

const typicalRequestMs = 250;

// A random count varies by about its square root. Three more than the average are enough in 999 of 1,000 windows.
const deviationsLeft = 3;

/** With `before`, the slots that were left for that take. */
function slotsFrom(log: RequestLog, scope: Scope, share: number, before?: Take): Slots {
	const { takes, remainder, refusal, limit: reported } = log.counted(scope, before);
	const rule = log.limits[scope];
	const now = log.now();
	const aheadMs = log.wallClockNow() - now;
	const countsAlone = log.countsAlone(scope);
	const inForce = Math.min(rule.maxRequests, reported ?? rule.maxRequests);
	const limit = countsAlone ? Math.max(1, Math.floor(inForce * shareWhenAlone)) : inForce;
	const reserved = Math.floor(limit * rule.reservedShare);
	const ends = endsOf(takes, rule);

	// After a refusal one request tries, and the others wait for its response.
	const frozenUntil = refusal?.until ?? 0;
	const tries = refusal ? takes.filter(({ at }) => at >= frozenUntil) : [];
	const isTrying = refusal !== undefined && tries.every(({ doneAt }) => doneAt === undefined);
	const triesUntil = isTrying && tries[0] ? tries[0].at + longestSlotMs(rule) : 0;
	const closedUntil = Math.max(frozenUntil, triesUntil);

	const remaining = remainder
		? remainder.remaining - takes.filter(({ number }) => number > remainder.number).length
		: Number.POSITIVE_INFINITY;
	const left = now < closedUntil ? 0 : Math.min(limit - takes.length, remaining);
	const freeBeyond = (kept: number) => Math.min(Math.max(0, left - kept), isTrying ? 1 : limit);
	const nextBeyond = (kept: number) =>
		Math.max(
			now,
			closedUntil,
			ends[takes.length - (limit - kept)] ?? 0,
			remainder && remaining <= kept ? remainder.until : 0,
		);
	const [free, nextAt] = [freeBeyond(reserved), nextBeyond(reserved)];

	const reads = takes.filter(take => take.share !== undefined);
	const mostReads = Math.max(1, Math.floor(share * limit));
	const readAt = nextReadWithin(reads, mostReads, rule, share);
	const spentElsewhere = remainder?.elsewhere ?? 0;
	const deviation = share < 1 ? deviationsLeft * Math.sqrt(spentElsewhere) : 0;
	const kept = Math.max(reserved, deviation) + spentElsewhere;
	const leftForReads = limit - kept - (takes.length - reads.length);
	const leastReads = (limit - reserved) * minShareOfLimit;
	return {
		limit,
		free: {
			operation: freeBeyond(0),
			requestedRead: free,
			read: now < readAt ? 0 : Math.min(free, Math.max(1, mostReads - reads.length)),
		},
		nextAt: {
			operation: nextBeyond(0) + aheadMs,
			requestedRead: nextAt + aheadMs,
			read: Math.max(nextAt, readAt) + aheadMs,
		},
		readsPerMs: Math.min(mostReads, Math.max(leastReads, leftForReads)) / typicalSlotMs(rule),
		frozenUntil: now < frozenUntil ? frozenUntil + aheadMs : undefined,
		spentElsewhere,
	};
}

/**
 * After the share has shrunk, more reads may count than it allows, but if the process waited for them, half a minute
 * could pass without a read.
 */
function nextReadWithin(reads: readonly Take[], most: number, rule: Limit, share: number): number {
	const whenFewerThanMost = (some: readonly Take[]) => endsOf(some, rule)[some.length - most] ?? 0;
	const atThisShare = reads.filter(take => (take.share ?? 0) <= share);
	const lastAt = Math.max(...reads.map(({ at }) => at));
	return Math.min(
		whenFewerThanMost(reads),
		Math.max(lastAt + typicalSlotMs(rule) / most, whenFewerThanMost(atThisShare)),
	);
}

const endsOf = (takes: readonly Take[], rule: Limit) =>
	takes.map(take => slotEndOf(take, rule)).sort((a, b) => a - b);

const typicalSlotMs = (rule: Limit) => slotLifetimeMs(rule) + typicalRequestMs;
