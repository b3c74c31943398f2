import { idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import type { Fact, FactOf, RateLimitUsage } from '../fleet/fact.ts';
import { isComputerRead, type ReadName } from '../fleet/reads.ts';
import type { FleetCounts, FleetRow, OpenedAccount } from './selectors.ts';
import type {
	AccountState,
	AnswerTime,
	ComputerReads,
	ComputerState,
	Connection,
	Contact,
	FailureStreak,
} from './state.ts';

/** Requests time out long before this, so the clock was set back if an answer seems older, and it counts as new. */
const maxAnswerDelayMs = 120_000;

export function answerTimeFrom({ askedAt, at, every }: Pick<Fact, 'askedAt' | 'at' | 'every'>) {
	return { askedAt: Math.min(askedAt ?? at, at), at, every };
}

export function isOutdated(askedAt: number, knownAsOf: number | undefined): boolean {
	return knownAsOf !== undefined && askedAt < knownAsOf && knownAsOf - askedAt < maxAnswerDelayMs;
}

/** As after this process was stopped. After the clock was set back, the newer answer would lie in the future. */
export function isLongOutdated(askedAt: number, knownAsOf: number | undefined, now: number) {
	return knownAsOf !== undefined && knownAsOf <= now && knownAsOf - askedAt >= maxAnswerDelayMs;
}

/** When the status was told, or else when an operation was accepted on the computer. */
export function statusAnswerOf(
	{ computerReads }: Pick<AccountState, 'computerReads'>,
	{ id, answersValidFrom: accepted }: ComputerState,
): AnswerTime | undefined {
	const { statusAnswer } = computerReads.get(id) ?? {};
	return statusAnswer ?? (accepted === undefined ? undefined : { askedAt: accepted, at: accepted });
}

export function withStatusAnswer(
	reads: ComputerReads | undefined,
	time: AnswerTime,
): ComputerReads {
	const isLate = isOutdated(time.askedAt, reads?.statusAnswer?.askedAt);
	return reads && isLate ? reads : { ...reads, statusAnswer: time };
}

export function statusKnownAsOf(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	const { answersValidFrom } = computer;
	const toldAsOf = statusAnswerOf(account, computer)?.askedAt;
	return toldAsOf === undefined
		? answersValidFrom
		: Math.max(toldAsOf, answersValidFrom ?? toldAsOf);
}

/** A computer that a complete list does not name does not exist. */
export function isListComplete({ reads, contact }: AccountState): boolean {
	return reads.list?.answer !== undefined && reads.list.answer.askedAt === contact?.fleetAt;
}

export function withAnswer(
	account: AccountState,
	read: ReadName,
	answer: AnswerTime,
): AccountState {
	const { answer: previous } = account.reads[read] ?? {};
	const newest = isOutdated(answer.askedAt, previous?.askedAt) ? previous : answer;
	const reads = { ...account.reads, [read]: { answer: newest } };
	return { ...account, reads };
}

const defaultIdleLimitMs = 15 * 60_000;

export function withContact(account: AccountState, { at }: AnswerTime) {
	const { contact: earlier, subscription } = account;
	const longest = idleLimitMsOf(subscription?.plan) ?? defaultIdleLimitMs;
	const since = earlier && at - earlier.lastAnswerAt <= longest ? earlier.since : at;
	const contact: Contact = { ...earlier, since, lastAnswerAt: at };
	return { ...account, contact };
}

export function foldReadFailed(account: AccountState, fact: FactOf<'readFailed'>): AccountState {
	const { read, id, failure } = fact;
	const { askedAt } = answerTimeFrom(fact);
	if (failure.kind === 'cancelled') return account;
	const state = account.reads[read];
	const failed = { ...account };
	if (!isOutdated(askedAt, state?.answer?.askedAt))
		failed.reads = {
			...account.reads,
			[read]: { ...state, failing: streakAfter(state?.failing, fact) },
		};
	if (id === undefined || !isComputerRead(read)) return failed;
	const earlier = account.computerReads.get(id);
	if (!account.computers.has(id) || isOutdated(askedAt, earlier?.[read]?.askedAt)) return failed;
	const failing = { ...earlier?.failing, [read]: streakAfter(earlier?.failing?.[read], fact) };
	failed.computerReads = new Map(account.computerReads).set(id, { ...earlier, failing });
	return failed;
}

function streakAfter(
	earlier: FailureStreak | undefined,
	fact: FactOf<'readFailed'>,
): FailureStreak {
	const { failure, nextAt } = fact;
	const { askedAt, at } = answerTimeFrom(fact);
	// Requests that were in flight together usually fail together.
	const isNew = !isOutdated(askedAt, earlier?.lastFailedAt);
	return {
		failure,
		firstAskedAt: earlier?.firstAskedAt ?? askedAt,
		firstFailedAt: earlier?.firstFailedAt ?? at,
		lastFailedAt: at,
		attempts: (earlier?.attempts ?? 0) + Number(isNew),
		nextAt,
	};
}

// Also of data without a planned interval, such as a snapshot.
const maxIntervalMs = 60_000;
// One lost or slow read does not make a row old.
const minIntervalMs = 5_000;

export const ageShownAfterMs = 30_000;

export function isOld(
	{ at, every = maxIntervalMs }: Pick<AnswerTime, 'at' | 'every'>,
	now: number,
): boolean {
	const age = Math.abs(now - at);
	const intervals = age / Math.min(maxIntervalMs, Math.max(minIntervalMs, every));
	return intervals > 4 && age > ageShownAfterMs;
}

export function laggingStatusAge(
	{ reads }: Pick<AccountState, 'reads'>,
	answer: Pick<AnswerTime, 'at'> | undefined,
	now: number,
): number | undefined {
	const listedAt = reads.list?.answer?.at;
	if (!answer || listedAt === undefined || listedAt - answer.at <= ageShownAfterMs)
		return undefined;
	return now - answer.at;
}

export function createOldTest(account: AccountState, now: number) {
	const isDown = outageOf(account, now) !== undefined;
	return (computer: ComputerState): boolean => {
		const answer = statusAnswerOf(account, computer);
		return isDown || (answer !== undefined && isOld(answer, now));
	};
}

export type FailingRead = {
	read: 'list' | 'status';
	streak: FailureStreak;
	isOnlyThisRead: boolean;
	retryAt: number | undefined;
	lastAnswerAt: number | undefined;
};

export function failingReadOf(account: Connection, now: number): FailingRead | undefined {
	const read = account.reads.list?.failing ? 'list' : 'status';
	const streak = account.reads[read]?.failing;
	if (!streak) return undefined;
	const heardAt = account.contact?.lastAnswerAt ?? Number.POSITIVE_INFINITY;
	return {
		read,
		streak,
		isOnlyThisRead: isOnlyThisRead(account, read, streak, now),
		retryAt: nextAttemptTimeOf(account, read, now),
		lastAnswerAt: heardAt - now < maxAnswerDelayMs ? heardAt : undefined,
	};
}

/** While no read is answered, only one at a time is sent, and the one that failed last determines when. */
export function nextAttemptTimeOf(
	account: Connection,
	read: ReadName,
	now: number,
): number | undefined {
	const { reads, standings } = account;
	const failing = reads[read]?.failing;
	if (!failing) return undefined;
	let last = failing;
	if (!isOnlyThisRead(account, read, failing, now))
		for (const other of Object.values(reads))
			if (other.failing && other.failing.lastFailedAt > last.lastFailedAt) last = other.failing;
	if (last.nextAt === undefined) return undefined;
	const scope: keyof RateLimitUsage = read === 'status' ? 'status' : 'other';
	return Math.max(now, last.nextAt, standings?.[scope].frozenUntil ?? now);
}

function isOnlyThisRead(
	{ reads }: Connection,
	read: ReadName,
	{ firstAskedAt }: FailureStreak,
	now: number,
): boolean {
	return Object.entries(reads).some(
		([name, { answer, failing }]) =>
			name !== read &&
			!failing &&
			answer &&
			answer.at >= firstAskedAt &&
			answer.at - now < maxAnswerDelayMs,
	);
}

const silentAfterMs = 15_000;

/** Silent since the failures began, or for a while after an answer. */
export function unreachableCauseOf(account: Connection, now: number): FailingRead | undefined {
	const cause = failingReadOf(account, now);
	// The platform has answered, although the record cannot be read.
	if (cause?.read === 'status' && cause.streak.failure.kind === 'unreadable') return undefined;
	if (cause?.lastAnswerAt === undefined) return cause;
	const { lastAnswerAt, streak } = cause;
	const isLong = now - lastAnswerAt > silentAfterMs;
	const isSilent =
		streak.firstFailedAt >= lastAnswerAt || (streak.lastFailedAt >= lastAnswerAt && isLong);
	return isSilent ? cause : undefined;
}

const outageAfterMs = 10_000;

export function outageOf(account: Connection, now: number): FailingRead | undefined {
	const cause = unreachableCauseOf(account, now);
	if (!cause || isSignInFailure(cause) || cause.lastAnswerAt === undefined) return cause;
	return now - cause.lastAnswerAt < outageAfterMs ? undefined : cause;
}

export function failureBehind(
	account: Connection,
	read: ReadName,
	now: number,
): FailureStreak | undefined {
	const outage = outageOf(account, now);
	return account.reads[read]?.failing ?? (outage?.isOnlyThisRead ? undefined : outage?.streak);
}

export const isSignInFailure = ({ streak }: Pick<FailingRead, 'streak'>) =>
	streak.failure.kind === 'auth';

export const isNothingKnown = ({
	changes,
	account,
}: {
	changes: AccountState['changes'];
	account: Connection;
}) => changes.length === 0 && account.reads.list?.answer === undefined;

/**
 * Nobody knows whether computers with an old status are still so. Of a silent platform, a rule above the table says it.
 */
export function withOldApart(
	counts: FleetCounts,
	rows: readonly FleetRow[],
	accounts: readonly OpenedAccount[],
	now: number,
): FleetCounts {
	const answering = accounts.filter(({ state }) => outageOf(state, now) === undefined);
	const phases = { ...counts.phases };
	let old = 0;
	for (const { account, computer } of rows) {
		const state = stateOf(answering, account);
		const count = phases[computer.phase];
		if (!state || count === undefined) continue;
		const answer = statusAnswerOf(state, computer);
		if (!answer || laggingStatusAge(state, answer, now) === undefined || !isOld(answer, now))
			continue;
		phases[computer.phase] = count - 1;
		old += 1;
	}
	return old === 0 ? counts : { ...counts, phases, old };
}

const stateOf = (accounts: readonly OpenedAccount[], account: string) =>
	accounts.find(({ profile }) => profile.account === account)?.state;

/** Undefined if the list tells the statuses. */
export function statusAgesOf(
	rows: readonly FleetRow[],
	accounts: readonly OpenedAccount[],
	now: number,
): { newest: number; oldest: number } | undefined {
	const times = rows.flatMap(({ account, computer }) => {
		const state = stateOf(accounts, account);
		if (!state?.reads.list?.answer || state.listFields.has('status')) return [];
		return statusAnswerOf(state, computer)?.at ?? [];
	});
	if (times.length === 0) return undefined;
	return { newest: now - Math.max(...times), oldest: now - Math.min(...times) };
}
