import type { Clock } from '../foundation/clock.ts';
import { createLimiter } from './limiter.ts';
import type { Limit, LimitsByScope, RateLimiter } from './limits.ts';
import type { RequestLog } from './request-log.ts';

/** Caps the requests of all accounts together, for a platform that counts requests by IP address. */
export type RequestCap = {
	capRequests(limiter: RateLimiter): RateLimiter;
	close(): void;
};

type RequestCapOptions = {
	clock: Clock;
	random: () => number;
	maxRequestsPerMinute: number;
	openLog: (limits: LimitsByScope) => RequestLog;
	onWait?: ((until: number) => void) | undefined;
};

export function createRequestCap(options: RequestCapOptions): RequestCap {
	const { clock, random, maxRequestsPerMinute: maxRequests, openLog, onWait } = options;
	const rule: Limit = {
		maxRequests,
		windowMs: 60_000,
		reservedShare: 0,
		marginMs: 1_000,
		maxTransitMs: 60_000,
	};
	const limits = { create: rule, status: rule, other: rule };
	// All requests take their slots in one scope, whatever their own.
	const cap = createLimiter({ clock, random, limits, log: openLog(limits) });

	function reportWait() {
		const { free, nextAt } = cap.slots().other;
		if (free.operation === 0) onWait?.(nextAt.operation);
	}

	return {
		capRequests: limiter => ({
			// The account's limiter comes first, so that an account that waits for its own limit takes nothing from the others.
			async acquire(scope, request) {
				const slot = await limiter.acquire(scope, request);
				reportWait();
				const ofCap = await cap.acquire('other', request).catch(error => {
					slot.giveBack();
					throw error;
				});
				return {
					// The headers of a response concern its account, and not the cap.
					reportResponse(response) {
						ofCap.reportNoResponse();
						slot.reportResponse(response);
					},
					reportNoResponse() {
						ofCap.reportNoResponse();
						slot.reportNoResponse();
					},
					giveBack() {
						ofCap.giveBack();
						slot.giveBack();
					},
				};
			},
		}),
		close: cap.close,
	};
}
