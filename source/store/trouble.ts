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
 * whichever that is: what failed last tells when the next one is.
 */
export function nextTryAt(account: AccountState, read: ReadName, now: number): number | undefined {
	const { reads, standings } = account;
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	const others = isAlone(account, read, failing) ? [] : Object.values(reads);
	const { nextAt } = others
		.flatMap(each => each.failing ?? [])
		.reduce((latest, each) => (each.last > latest.last ? each : latest), failing);
	return nextAt === undefined
		? undefined
		: Math.max(now, nextAt, standings?.[scopeOf(read)].frozenUntil ?? now);
}

const scopeOf = (read: ReadName): keyof Standings => (read === 'status' ? 'status' : 'other');

/** Something else was answered since this was asked for in vain, and goes on being answered. */
function isAlone({ reads }: AccountState, read: ReadName, { askedAt }: Failing): boolean {
	return Object.entries(reads).some(
		([name, { told, failing }]) => name !== read && !failing && told && told.at >= askedAt,
	);
}
