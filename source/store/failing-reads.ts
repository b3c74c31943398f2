import type { RateLimitUsage, ReadName } from '../fleet/fact.ts';
import type { AccountState, FailureStreak } from './state.ts';

/** A failing read of the list or the status. While it fails, the fleet is not up to date. */
export type FailingRead = {
	read: 'list' | 'status';
	streak: FailureStreak;
	/** Whether the platform still answers other reads. */
	isOnlyThisRead: boolean;
	/** The time at which the read is sent again; undefined if that is not known. */
	retryAt: number | undefined;
};

export function failingReadOf(account: AccountState, now: number): FailingRead | undefined {
	const { reads } = account;
	const read = reads.list?.failing ? 'list' : 'status';
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	const nextAt = nextAttemptTimeOf(account, read, now);
	return {
		read,
		streak: failing,
		isOnlyThisRead: isOnlyThisRead(account, read, failing),
		retryAt: nextAt,
	};
}

/**
 * Returns the time at which a failing read is sent again. While the platform answers no read, only one read at a
 * time is sent, and the read that failed last determines when.
 */
export function nextAttemptTimeOf(
	account: AccountState,
	read: ReadName,
	now: number,
): number | undefined {
	const { reads, standings } = account;
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	const others = isOnlyThisRead(account, read, failing) ? [] : Object.values(reads);
	const { nextAt } = others
		.flatMap(each => each.failing ?? [])
		.reduce((latest, each) => (each.lastFailedAt > latest.lastFailedAt ? each : latest), failing);
	return nextAt === undefined
		? undefined
		: Math.max(now, nextAt, standings?.[scopeOf(read)].frozenUntil ?? now);
}

const scopeOf = (read: ReadName): keyof RateLimitUsage => (read === 'status' ? 'status' : 'other');

/** Returns whether another read still works and was answered after this read began to fail. */
function isOnlyThisRead(
	{ reads }: AccountState,
	read: ReadName,
	{ firstAskedAt }: FailureStreak,
): boolean {
	return Object.entries(reads).some(
		([name, { answer, failing }]) =>
			name !== read && !failing && answer && answer.at >= firstAskedAt,
	);
}
