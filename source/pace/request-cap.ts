import type { Clock } from '../foundation/clock.ts';
import type { Ledger } from './ledger.ts';
import type { Limit, RateLimiter } from './limits.ts';
import { createScopeLimiter } from './scope-limiter.ts';

type RequestCapOptions = {
	clock: Clock;
	random: () => number;
	/**
	 * The ledger that counts the requests of all accounts, in all processes of the host. The cap closes the ledger.
	 */
	ledger: Ledger;
	maxRequestsPerMinute: number;
	/** Called when a request has to wait for the cap, with the time until which, in milliseconds since 1970. */
	onWait?: ((until: number) => void) | undefined;
};

export type RequestCap = {
	/** Returns a limiter that sends only what both the account's limiter and the cap allow. */
	capRequests(limiter: RateLimiter): RateLimiter;
	close(): void;
};

// The window is a second longer than the platform's, because the platform counts a request when it arrives.
const ruleOf = (maxRequests: number): Limit => ({
	maxRequests,
	windowMs: 60_000,
	reservedShare: 0,
	marginMs: 1_000,
	maxTransitMs: 60_000,
});

/**
 * Creates a cap for the requests of all accounts together, for a platform that counts requests by IP address. Each
 * account's limiter comes first, so that an account that waits for its own limit takes nothing from the others.
 */
export function createRequestCap(options: RequestCapOptions): RequestCap {
	const { clock, random, ledger, maxRequestsPerMinute, onWait } = options;
	const cap = createScopeLimiter({
		// The cap counts all requests in one scope, so every entry of its ledger has this scope.
		scope: 'other',
		rule: ruleOf(maxRequestsPerMinute),
		clock,
		random,
		ledger,
		onChange: () => {},
	});

	function reportWait() {
		const { requestsLeft, nextRequestAt } = cap.budgetIn(ledger.refresh(), ledger.now());
		if (requestsLeft.operation > 0) return;
		onWait?.(nextRequestAt.operation - ledger.now() + clock.now());
	}

	return {
		capRequests: limiter => ({
			async acquire(scope, request) {
				const permit = await limiter.acquire(scope, request);
				reportWait();
				const slot = await cap.acquire(request).catch(error => {
					permit.reportNoResponse();
					throw error;
				});
				return {
					// The headers of a response concern its account, and not the cap.
					reportResponse(response) {
						slot.reportNoResponse();
						permit.reportResponse(response);
					},
					reportNoResponse() {
						slot.reportNoResponse();
						permit.reportNoResponse();
					},
				};
			},
		}),
		close() {
			cap.close();
			ledger.close();
		},
	};
}
