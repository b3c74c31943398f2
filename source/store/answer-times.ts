import type { AccountState, AnswerTime, ComputerAnswer, ComputerState } from './state.ts';

// Requests time out long before this, so no answer is older. If an answer seems older, the clock was set back,
// and the answer counts as new.
export const maxAnswerDelayMs = 120_000;

/** The read that an answer belongs to, with the times of the request and of the answer. */
export type AnswerOrigin = AnswerTime & { read: 'list' | 'status' | 'detail' };

/**
 * Whether an answer is outdated, because its request was sent before something newer was known:
 *
 * ```
 *   this answer    asked ├──────────────┤ came
 *   newer          ─────────── asOf ├───── a later answer, or the end of an operation
 * ```
 */
export function isOutdated(askedAt: number, knownAsOf: number | undefined): boolean {
	return knownAsOf !== undefined && askedAt < knownAsOf && knownAsOf - askedAt < maxAnswerDelayMs;
}

/**
 * Whether an answer of another process is outdated by a long time. Another process may pass on an answer that it
 * received long ago, for example because that process was stopped in between. An answer that seems old because the
 * clock was set back does not count: then the newer answer would lie in the future.
 */
export function isLongOutdated(
	askedAt: number,
	knownAsOf: number | undefined,
	now: number,
): boolean {
	return knownAsOf !== undefined && knownAsOf <= now && knownAsOf - askedAt >= maxAnswerDelayMs;
}

export type StatusAnswer = AnswerTime & { from: AnswerOrigin['read'] | 'recalled' | 'operation' };

/** Returns the newest answer that contained the status of a computer. */
export function statusAnswerOf(
	account: AccountState,
	{ id, listed, answersValidFrom }: ComputerState,
): StatusAnswer | undefined {
	const { status, detail, list, restoredFrom } = account.computerReads.get(id) ?? {};
	let newest: AnswerTime | undefined;
	let from: StatusAnswer['from'] = 'recalled';
	if (restoredFrom !== undefined) newest = { askedAt: restoredFrom, at: restoredFrom };
	const listAnswer = listed === 'with-status' ? account.reads.list?.answer : list;
	if (isNewer(listAnswer, newest)) {
		newest = listAnswer;
		from = 'list';
	}
	if (detail?.hasStatus && isNewer(detail, newest)) {
		newest = detail;
		from = 'detail';
	}
	if (status?.hasStatus && isNewer(status, newest)) {
		newest = status;
		from = 'status';
	}
	if (newest) return answerFrom(newest, from);
	return answersValidFrom === undefined
		? undefined
		: { askedAt: answersValidFrom, at: answersValidFrom, from: 'operation' };
}

function answerFrom({ askedAt, at, every }: AnswerTime, from: StatusAnswer['from']): StatusAnswer {
	return every === undefined ? { askedAt, at, from } : { askedAt, at, every, from };
}

const isNewer = (
	answer: AnswerTime | undefined,
	other: AnswerTime | undefined,
): answer is AnswerTime =>
	answer !== undefined && (other === undefined || answer.askedAt > other.askedAt);

/**
 * Returns the time as of which the status of a computer is known. An answer whose request was sent before that time
 * says nothing new about the status.
 */
export function statusKnownAsOf(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	const answers = account.computerReads.get(computer.id);
	return latestTime(
		computer.answersValidFrom,
		(computer.listed === 'with-status' ? account.reads.list?.answer : answers?.list)?.askedAt,
		answers?.status?.hasStatus ? answers.status.askedAt : undefined,
		answers?.detail?.hasStatus ? answers.detail.askedAt : undefined,
		answers?.restoredFrom,
	);
}

/**
 * Returns when all fields except the status were last known to be true. Lists and details report these fields.
 */
export function otherFieldsKnownAsOf(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	return latestTime(
		computer.answersValidFrom,
		computer.listed === 'absent' ? undefined : account.reads.list?.answer?.askedAt,
		account.computerReads.get(computer.id)?.detail?.askedAt,
	);
}

/** Returns the time at which a read by id, or an accepted operation, last confirmed that a computer exists. */
export function existenceKnownAsOf(
	account: AccountState,
	computer: ComputerState,
): number | undefined {
	const answers = account.computerReads.get(computer.id);
	return latestTime(computer.answersValidFrom, answers?.status?.askedAt, answers?.detail?.askedAt);
}

/** Returns whether the last list was complete. A computer that a complete list does not name does not exist. */
export function isListComplete({ reads, contact }: AccountState): boolean {
	return reads.list?.answer !== undefined && reads.list.answer.askedAt === contact?.fleetAt;
}

/** Returns the newer of two answers. */
export function newerAnswer(
	current: ComputerAnswer | undefined,
	next: ComputerAnswer,
): ComputerAnswer {
	return current && isOutdated(next.askedAt, current.askedAt) ? current : next;
}

function latestTime(
	a: number | undefined,
	b: number | undefined,
	c?: number,
	d?: number,
	e?: number,
): number | undefined {
	const none = Number.NEGATIVE_INFINITY;
	const most = Math.max(a ?? none, b ?? none, c ?? none, d ?? none, e ?? none);
	return most === none ? undefined : most;
}
