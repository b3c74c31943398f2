import { idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import type { Fact, ReadName } from '../fleet/fact.ts';
import { isOutdated } from './answer-times.ts';
import type { AccountState, AnswerTime, ComputerReads, Contact, FailureStreak } from './state.ts';

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
	const { contact: watch, subscription } = account;
	const isSilence =
		!watch || at - watch.lastAnswerAt > (idleLimitMsOf(subscription?.plan) ?? defaultIdleLimitMs);
	const since = isSilence ? at : watch.since;
	return { ...account, contact: { ...watch, since, lastAnswerAt: at } };
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
	const known: ComputerReads = account.computerReads.get(id) ?? {};
	if (!account.computers.has(id) || isOutdated(askedAt, known[read]?.askedAt)) return failed;
	const failings = { ...known.failing, [read]: streakAfter(known.failing?.[read], fact) };
	return {
		...failed,
		computerReads: new Map(account.computerReads).set(id, { ...known, failing: failings }),
	};
}

function streakAfter(
	known: FailureStreak | undefined,
	fact: Extract<Fact, { type: 'readFailed' }>,
): FailureStreak {
	const { failure, nextAt } = fact;
	const { askedAt, at } = answerTimeFrom(fact);
	return {
		failure,
		firstAskedAt: known?.firstAskedAt ?? askedAt,
		firstFailedAt: known?.firstFailedAt ?? at,
		lastFailedAt: at,
		attempts: (known?.attempts ?? 0) + 1,
		...(nextAt !== undefined && { nextAt }),
	};
}
