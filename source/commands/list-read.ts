import type { Clock } from '../fleet/clock.ts';
import type { Failure } from '../fleet/failure.ts';
import { durationText } from '../operations/duration-text.ts';
import { PlatformError } from '../platform/platform-error.ts';
import { reads } from '../watch/reads.ts';
import type { Lookout } from './lookout.ts';

type Parts = {
	clock: Clock;
	lookout: Lookout;
	signal: AbortSignal;
	say: (line: string) => void;
};

// Shorter waits are over before one has read of them.
const noticeable = 2_000;

/** Reads one thing of the account into the store. A rate limit is waited for; what failed is returned. */
export async function readOnce(
	{ clock, lookout, signal, say }: Parts,
	name: 'list' | 'release',
): Promise<Failure | undefined> {
	const { account, store, platform, pace } = lookout;
	let toldUntil = 0;
	const tellWait = (until: number) => {
		const wait = until - clock.now();
		if (wait < noticeable || until - toldUntil < noticeable) return;
		toldUntil = until;
		say(`waiting for the rate limit, about ${durationText(wait)}`);
	};
	tellWait(pace.budgets().other.nextAt.read);
	const endPaceNews = pace.subscribe(() => tellWait(pace.budgets().other.frozenUntil ?? 0));
	try {
		for (;;) {
			const failure = await attempt();
			// Of too many requests: the scope is frozen by now, and the next try waits for the end of that.
			if (failure?.kind !== 'limited') return failure;
		}
	} finally {
		endPaceNews();
	}

	async function attempt(): Promise<Failure | undefined> {
		let askedAt = clock.now();
		const onSent = () => {
			askedAt = clock.now();
		};
		try {
			const { happening } = await reads[name].ask(platform, { signal, priority: 'read', onSent });
			store.fold({ account, at: clock.now(), askedAt, ...happening });
			return undefined;
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			return error.failure;
		}
	}
}
