import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { PlatformError } from '../platform/decoding/platform-error.ts';
import type { AccountSession } from '../session/session.ts';
import { rateLimitWords } from '../wording/phrases/waiting-text.ts';

type RetryOptions = {
	clock: Clock;
	session: Pick<AccountSession, 'pace'>;
	signal: AbortSignal;
	onWait: (until: number) => void;
};

/** Sends a request, and repeats it until no rate limit refuses the request. */
export async function retryWhenLimited<T>(
	{ clock, session: { pace }, signal, onWait }: RetryOptions,
	send: () => Promise<T>,
): Promise<T> {
	onWait(pace.budgets().other.nextRequestAt.operation);
	const unsubscribe = pace.subscribe(() => onWait(pace.budgets().other.frozenUntil ?? 0));
	try {
		for (;;) {
			try {
				return await send();
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof PlatformError) || error.failure.kind !== 'limited') throw error;
				// If the platform's own limit refused the request, `pace` already delays the next request.
				if (pace.budgets().other.frozenUntil === undefined) await pauseAfter(error.failure);
			}
		}
	} finally {
		unsubscribe();
	}

	// The identity provider, which signs people in, has limits of its own and does not always say how long
	// they last.
	function pauseAfter({ retryAfter = 30_000 }: Failure): Promise<void> {
		const time = Math.max(1_000, retryAfter);
		onWait(clock.now() + time);
		return new Promise((resolve, reject) => {
			const cancelTimer = clock.after(time, () => {
				signal.removeEventListener('abort', giveUp);
				resolve();
			});
			const giveUp = () => {
				cancelTimer();
				reject(signal.reason);
			};
			signal.addEventListener('abort', giveUp, { once: true });
		});
	}
}

// A wait shorter than `minNoticedWaitMs` is over before a person has read the notice. A wait that grows by
// less than `minNoticedDelayMs` needs no second notice.
const minNoticedWaitMs = 2_000;
const minNoticedDelayMs = 10_000;

/** Returns a function that prints one notice per wait, with the time until the rate limit ends. */
export function createWaitNotifier(clock: Clock, notify: (line: string) => void) {
	let noticedUntil = 0;
	return (until: number) => {
		const now = clock.now();
		const isNoticed = now < noticedUntil && until - noticedUntil < minNoticedDelayMs;
		if (until - now < minNoticedWaitMs || isNoticed) return;
		noticedUntil = until;
		notify(rateLimitWords({ scope: 'other', waitMs: until - now }).line);
	};
}
