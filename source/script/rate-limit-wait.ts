import type { Clock } from '../fleet/clock.ts';
import { durationText } from '../fleet/duration.ts';
import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { AccountSession } from '../session/session.ts';

export type RetryOptions = {
	clock: Clock;
	session: Pick<AccountSession, 'pace'>;
	signal: AbortSignal;
	noticeWait: (until: number) => void;
};

/** Asks again for as long as the answer is that there were too many requests. */
export async function retryWhenLimited<T>(
	{ clock, session: { pace }, signal, noticeWait }: RetryOptions,
	ask: () => Promise<T>,
): Promise<T> {
	noticeWait(pace.budgets().other.nextAt.operation);
	const endPaceNews = pace.subscribe(() => noticeWait(pace.budgets().other.frozenUntil ?? 0));
	try {
		for (;;) {
			try {
				return await ask();
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof PlatformError) || error.failure.kind !== 'limited') throw error;
				// Of the platform's own limits the pace knows, and holds back the next try by itself.
				if (pace.budgets().other.frozenUntil === undefined) await pauseAfter(error.failure);
			}
		}
	} finally {
		endPaceNews();
	}

	// The identity provider has limits of its own, and does not always tell how long they last.
	function pauseAfter({ retryAfter = 30_000 }: Failure): Promise<void> {
		const time = Math.max(1_000, retryAfter);
		noticeWait(clock.now() + time);
		return new Promise((resolve, reject) => {
			const callOff = clock.after(time, () => {
				signal.removeEventListener('abort', giveUp);
				resolve();
			});
			const giveUp = () => {
				callOff();
				reject(signal.reason);
			};
			signal.addEventListener('abort', giveUp, { once: true });
		});
	}
}

// Shorter waits are over before one has read of them, and so little more is no news.
const noticeable = 2_000;
const worthSaying = 10_000;

/** Says how long the rate limit has to be waited for: once for each wait. */
export function createWaitNotice(clock: Clock, say: (line: string) => void) {
	let toldUntil = 0;
	return (until: number) => {
		const now = clock.now();
		const isTold = now < toldUntil && until - toldUntil < worthSaying;
		if (until - now < noticeable || isTold) return;
		toldUntil = until;
		say(`waiting for the rate limit, about ${durationText(until - now)}`);
	};
}
