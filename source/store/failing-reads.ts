import type { RateLimitUsage, ReadName } from '../fleet/fact.ts';
import type { AccountState, FailureStreak } from './state.ts';

/** What tells of the fleet fails. */
export type FailingRead = {
	read: 'list' | 'status';
	failures: FailureStreak;
	/** The platform answers, but not this. */
	isOnlyThisRead: boolean;
	/** When it is tried again. */
	nextAt: number | undefined;
};

export function failingReadOf(account: AccountState, now: number): FailingRead | undefined {
	const { reads } = account;
	const read = reads.list?.failing ? 'list' : 'status';
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	const nextAt = nextAttemptAt(account, read, now);
	return {
		read,
		failures: failing,
		isOnlyThisRead: isOnlyThisRead(account, read, failing),
		nextAt,
	};
}

/**
 * When a read that fails is tried again. Where nothing is answered only one thing is tried at a time,
 * whichever that is: what failed last tells when the next one is.
 */
export function nextAttemptAt(
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
		.reduce((latest, each) => (each.last > latest.last ? each : latest), failing);
	return nextAt === undefined
		? undefined
		: Math.max(now, nextAt, standings?.[scopeOf(read)].frozenUntil ?? now);
}

const scopeOf = (read: ReadName): keyof RateLimitUsage => (read === 'status' ? 'status' : 'other');

/** Something else was answered since this was asked for in vain, and goes on being answered. */
function isOnlyThisRead(
	{ reads }: AccountState,
	read: ReadName,
	{ askedAt }: FailureStreak,
): boolean {
	return Object.entries(reads).some(
		([name, { answer, failing }]) => name !== read && !failing && answer && answer.at >= askedAt,
	);
}
