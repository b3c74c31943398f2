import { idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import type { Fact, RateLimitUsage, ReadName } from '../fleet/fact.ts';
import { withItem } from '../foundation/layered-map.ts';
import { isOutdated, maxAnswerDelayMs } from './answer-times.ts';
import type {
	AccountState,
	AnswerTime,
	ComputerReads,
	Contact,
	FailureStreak,
	JointAccount,
} from './state.ts';

/** A failing read of the list or the status. While it fails, the fleet is not up to date. */
export type FailingRead = {
	read: 'list' | 'status';
	streak: FailureStreak;
	/** Whether the platform still answers other reads. */
	isOnlyThisRead: boolean;
	/** The time at which the read is sent again; undefined if that is not known. */
	retryAt: number | undefined;
};

export function failingReadOf(account: JointAccount, now: number): FailingRead | undefined {
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
	account: JointAccount,
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
	{ reads }: JointAccount,
	read: ReadName,
	{ firstAskedAt, lastFailedAt }: FailureStreak,
): boolean {
	return Object.entries(reads).some(
		([name, { answer, failing }]) =>
			name !== read &&
			!failing &&
			answer &&
			answer.at >= firstAskedAt &&
			answer.at - lastFailedAt < maxAnswerDelayMs,
	);
}

// The idle limit of the strictest plan. It is used while the plan of the account is unknown.
const defaultIdleLimitMs = 15 * 60_000;

export function answerTimeFrom({
	askedAt,
	at,
	every,
}: Pick<Fact, 'askedAt' | 'at' | 'every'>): AnswerTime {
	return { askedAt: Math.min(askedAt ?? at, at), at, ...(every !== undefined && { every }) };
}

/** Notes that a read was answered, and clears its failures. */
export function withAnswer(
	account: AccountState,
	read: ReadName,
	answer: AnswerTime,
): AccountState {
	const { answer: previous } = account.reads[read] ?? {};
	const newest = isOutdated(answer.askedAt, previous?.askedAt) ? previous : answer;
	return { ...account, reads: { ...account.reads, [read]: { answer: newest } } };
}

/** Notes that an answer about computers came. After a long silence, the contact counts as new. */
export function withContact(
	account: AccountState,
	{ at }: AnswerTime,
): AccountState & { contact: Contact } {
	const { contact: earlier, subscription } = account;
	const isSilence =
		!earlier ||
		at - earlier.lastAnswerAt > (idleLimitMsOf(subscription?.plan) ?? defaultIdleLimitMs);
	const since = isSilence ? at : earlier.since;
	return { ...account, contact: { ...earlier, since, lastAnswerAt: at } };
}

export function foldReadFailed(
	account: AccountState,
	fact: Extract<Fact, { type: 'readFailed' }>,
): AccountState {
	const { read, id, failure } = fact;
	const { askedAt } = answerTimeFrom(fact);
	const state = account.reads[read];
	const isLate = isOutdated(askedAt, state?.answer?.askedAt);
	if (failure.kind === 'cancelled') return account;
	const failing = streakAfter(state?.failing, fact);
	const failed = isLate
		? account
		: { ...account, reads: { ...account.reads, [read]: { ...state, failing } } };
	if (id === undefined || (read !== 'status' && read !== 'detail')) return failed;
	const earlier: ComputerReads = account.computerReads.get(id) ?? {};
	if (!account.computers.has(id) || isOutdated(askedAt, earlier[read]?.askedAt)) return failed;
	const failings = { ...earlier.failing, [read]: streakAfter(earlier.failing?.[read], fact) };
	return {
		...failed,
		computerReads: withItem(account.computerReads, id, { ...earlier, failing: failings }),
	};
}

function streakAfter(
	earlier: FailureStreak | undefined,
	fact: Extract<Fact, { type: 'readFailed' }>,
): FailureStreak {
	const { failure, nextAt } = fact;
	const { askedAt, at } = answerTimeFrom(fact);
	return {
		failure,
		firstAskedAt: earlier?.firstAskedAt ?? askedAt,
		firstFailedAt: earlier?.firstFailedAt ?? at,
		lastFailedAt: at,
		attempts: (earlier?.attempts ?? 0) + 1,
		...(nextAt !== undefined && { nextAt }),
	};
}

/**
 * Whether it is not known yet if anything has happened: the log of earlier runs is not loaded or empty, and the platform
 * has not sent its list yet.
 */
export const isNothingKnown = ({ changes, reads }: Pick<JointAccount, 'changes' | 'reads'>) =>
	changes.length === 0 && reads.list?.answer === undefined;
