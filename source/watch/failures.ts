import type { ReadName } from '../fleet/reads.ts';
import { type Backoff, backoffAfter, isDown, retryTimeOf } from '../foundation/backoff.ts';
import type { Failure } from '../foundation/failure.ts';
import { type Read, readKey } from './reads.ts';

export type Failures = {
	byName: Map<ReadName, Backoff>;
	byComputer: Map<string, Backoff>;
	connection: Backoff | null;
	/**
	 * Set during an outage, in which only one request at a time is sent:
	 *
	 * ```
	 *   working ──3 connection failures, or 2 refused sign-ins──▶ outage ──any answer──▶ working
	 * ```
	 */
	outage: Backoff | null;
};

export const noFailures = (): Failures => ({
	byName: new Map(),
	byComputer: new Map(),
	connection: null,
	outage: null,
});

export function noteFailure(
	failures: Failures,
	read: Read,
	failure: Failure,
	askedAt: number,
	now: number,
	random: () => number,
): number {
	const { byName, byComputer } = failures;
	const { name, id } = read;
	const key = readKey(read);
	const next = (before: Backoff | null = null) => {
		// Requests that were in flight together usually fail together. After the clock was set back, an earlier failure lies
		// ahead.
		const isNew = before === null || askedAt >= before.failedAt || before.failedAt > now;
		return isNew ? backoffAfter(before, failure, now, random) : before;
	};
	if (id !== undefined && failure.kind !== 'limited')
		byComputer.set(key, next(byComputer.get(key)));
	byName.set(name, next(byName.get(name)));
	if (failure.kind === 'offline' || failure.kind === 'auth') {
		failures.connection = next(failures.connection);
		const isSignInRefused = failure.kind === 'auth' && failures.connection.failureCount > 1;
		if (isSignInRefused || isDown(failures.connection)) failures.outage = failures.connection;
	}
	const backoff = failures.outage ?? byComputer.get(key) ?? byName.get(name) ?? null;
	return Math.max(now, retryTimeOf(backoff, now));
}

/** Returns whether an outage ended, so that everything read before it is out of date. */
export function noteAnswer(failures: Failures, read: Read): boolean {
	const { byName, byComputer, outage } = failures;
	// If only one name fails and another works at its first try, the connection works, and the failing one waits as before.
	const isOnlyOtherFailing = byName.size === 1 && !byName.has(read.name);
	byName.delete(read.name);
	byComputer.delete(readKey(read));
	failures.connection = null;
	failures.outage = null;
	if (!outage) return false;
	byComputer.clear();
	if (!isOnlyOtherFailing) byName.clear();
	return !isOnlyOtherFailing;
}
