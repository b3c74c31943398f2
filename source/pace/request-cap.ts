import type { Clock } from '../foundation/clock.ts';
import type { Permit, RateLimiter } from './limits.ts';
import { createWaitingLine } from './waiting-line.ts';

type RequestCapOptions = {
	clock: Clock;
	/** A clock that never jumps. */
	msSinceBoot: () => number;
	maxRequestsPerMinute: number;
};

// A second longer than the platform's window, because the platform counts a request when it arrives.
const windowMs = 61_000;

// The cap only lets requests pass. The limiter of the account issues the permit.
const passed: Permit = { reportResponse() {}, reportNoResponse() {} };

/**
 * Creates a cap for the requests of all accounts together, for a platform that counts requests by IP address. Each
 * account's limiter comes first, so that an account that waits for its own limit takes nothing from the others.
 */
export function createRequestCap(
	options: RequestCapOptions,
): (limiter: RateLimiter) => RateLimiter {
	const { clock, msSinceBoot, maxRequestsPerMinute } = options;
	const line = createWaitingLine(() => cancelTimer());
	let sentAt: readonly number[] = [];
	let cancelTimer = () => {};

	function letPass() {
		cancelTimer();
		const now = msSinceBoot();
		sentAt = sentAt.filter(at => now - at < windowMs);
		while (line.firstWaiter() && sentAt.length < maxRequestsPerMinute) {
			sentAt = [...sentAt, now];
			line.grantFirst(passed);
		}
		const [oldest] = sentAt;
		if (line.firstWaiter() && oldest !== undefined)
			cancelTimer = clock.after(oldest + windowMs - now, letPass);
	}

	return limiter => ({
		async acquire(scope, request) {
			const permit = await limiter.acquire(scope, request);
			const turn = line.waitForPermit(request.priority, request.signal);
			letPass();
			try {
				await turn;
			} catch (error) {
				permit.reportNoResponse();
				throw error;
			}
			return permit;
		},
	});
}
