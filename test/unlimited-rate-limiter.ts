import type { RateLimiter, Scope } from '../source/limits/limits.ts';

/** Lets every request through at once, and records the status of each response. */
export function createUnlimitedRateLimiter(): RateLimiter & {
	readonly requests: { scope: Scope; status?: number }[];
} {
	const requests: { scope: Scope; status?: number }[] = [];
	return {
		requests,
		acquire(scope) {
			const request: { scope: Scope; status?: number } = { scope };
			requests.push(request);
			return Promise.resolve({
				end(ending) {
					if (typeof ending !== 'string') request.status = ending.status;
				},
			});
		},
	};
}
