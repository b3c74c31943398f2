import type { ReadName, Standings } from '../fleet/fact.ts';
import type { AccountState, Failing } from './state.ts';

/** What tells of the fleet fails. */
export type Trouble = {
	read: 'list' | 'status';
	failing: Failing;
	/** The platform answers, but not this. */
	isAlone: boolean;
	/** When it is tried again. */
	nextAt: number | undefined;
};

export function troubleIn(account: AccountState, now: number): Trouble | undefined {
	const { reads } = account;
	const read = reads.list?.failing ? 'list' : 'status';
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	const nextAt = nextTryAt(account, read, now);
	return { read, failing, isAlone: isAlone(account, read, failing), nextAt };
}

/**
 * When a read that fails is tried again. Where nothing is answered only one thing is tried at a time,
 * whichever that is: its time is told.
 */
export function nextTryAt(account: AccountState, read: ReadName, now: number): number | undefined {
	const { reads, standings } = account;
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	const tries = isAlone(account, read, failing)
		? [failing.nextAt]
		: Object.values(reads).map(each => each.failing?.nextAt);
	const times = tries.filter(at => at !== undefined);
	if (times.length === 0) return undefined;
	const ahead = times.filter(at => at > now);
	const next = ahead.length > 0 ? Math.min(...ahead) : now;
	return Math.max(next, standings?.[scopeOf(read)].frozenUntil ?? next);
}

const scopeOf = (read: ReadName): keyof Standings => (read === 'status' ? 'status' : 'other');

/** Something else was answered since this was asked for in vain, and goes on being answered. */
function isAlone({ reads }: AccountState, read: ReadName, { askedAt }: Failing): boolean {
	return Object.entries(reads).some(
		([name, { told, failing }]) => name !== read && !failing && told && told.at >= askedAt,
	);
}
