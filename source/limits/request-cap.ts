import type { Limiter } from './limiter.ts';
import type { RateLimiter } from './limits.ts';

/** Caps the requests of all accounts together, for a platform that counts requests by IP address. */
export type RequestCap = {
	capRequests(limiter: RateLimiter): RateLimiter;
	close(): void;
};

/** `onWait` learns when the next request can be sent. */
export const createRequestCap = (
	cap: Limiter,
	onWait: (until: number) => void = () => {},
): RequestCap => ({
	capRequests: limiter => ({
		// The account's limiter comes first, so that an account that waits for its own limit takes nothing from the others.
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
					// The headers of a response concern its account, and not the cap.
					ofCap.end(typeof ending === 'string' ? ending : 'noResponse');
					slot.end(ending);
				},
			};
		},
	}),
	close: cap.close,
});
