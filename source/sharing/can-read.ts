import type { Fact } from '../fleet/fact.ts';

/**
 * Returns whether a process can read the account after one of its own facts; undefined if the fact does not say so.
 *
 * A sign-in proves little: a token from the cache counts as a sign-in before the platform has accepted the token. So a
 * process that was refused and polls has to read a list first. A follower reads nothing, and a sign-in is all it knows.
 */
export function canReadAfter(fact: Fact, isFollowing: boolean): boolean | undefined {
	switch (fact.type) {
		case 'signInFailed':
			return false;
		case 'readFailed':
			return isRefusalOfList(fact) ? false : undefined;
		case 'listRead':
			return true;
		case 'signedIn':
			return isFollowing ? true : undefined;
		default:
			return undefined;
	}
}

// A process whose credentials are refused lets the others go first, and then follows the one that can read.
const refusedRetryMs = 1_000;

// No event announces that a problem such as a full disk is over.
const aloneRetryMs = 60_000;

/** Returns how long a process that watches alone waits before the next election. */
export const electionRetryMs = (canRead: boolean) => (canRead ? aloneRetryMs : refusedRetryMs);

/** Whether the platform refused the credentials. Another process may have better ones, so the failure is not shared. */
export const isRefusalOfList = (fact: Fact): boolean =>
	fact.type === 'readFailed' && fact.read === 'list' && fact.failure.kind === 'auth';
