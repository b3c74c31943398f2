import type { Fact } from '../fleet/fact.ts';

/**
 * Returns what a fact of this process says about its credentials: whether the process can read the account; undefined
 * if the fact does not tell.
 *
 * A sign-in proves little: a token from the cache counts as a sign-in before the platform has accepted the token. So
 * a process that was refused and polls has to read a list first. A follower sends no reads, so for a follower a
 * sign-in is enough.
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

// A process whose credentials are refused waits this long before the next election, so that a process that can read
// becomes the leader.
const refusedRetryMs = 1_000;

// A process that watches alone, for example because the disk is full, tries again this often. No event tells it that
// the problem is over.
const aloneRetryMs = 60_000;

// When ten panes open at once on a busy machine, one of them may hold the start lock for longer than the others wait.
const lockedRetryMs = 5_000;

/**
 * Returns how long a process that watches alone waits before the next election. `isForNow`: the reason probably ends
 * soon.
 */
export function electionRetryMs(canRead: boolean, isForNow = false): number {
	if (!canRead) return refusedRetryMs;
	return isForNow ? lockedRetryMs : aloneRetryMs;
}

/** Whether the platform refused the credentials. Another process may have better ones, so the failure is not shared. */
export const isRefusalOfList = (fact: Fact): boolean =>
	fact.type === 'readFailed' && fact.read === 'list' && fact.failure.kind === 'auth';
