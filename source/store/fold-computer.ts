import { isSameStatus, phaseOf, type Reading, readingRows } from '../fleet/computers/computer.ts';
import { fieldsToldBy } from '../fleet/computers/not-read.ts';
import type { Fact } from '../fleet/fact.ts';
import { withItem } from '../foundation/layered-map.ts';
import { type AnswerOrigin, isOutdated, newerAnswer, statusKnownAsOf } from './answer-times.ts';
import { withChanges, withErrorsExplained } from './change-log.ts';
import { hasOperationUnderWay, withPhaseChanges } from './our-operations.ts';
import { answerTimeFrom, withAnswer, withContact } from './read-health.ts';
import { wasRemoved, withoutComputers } from './removed-computers.ts';
import type { AccountState, ComputerAnswer, ComputerReads, ComputerState } from './state.ts';
import { statusChangeOf, updateComputer } from './update-computer.ts';
import { usageAfter } from './usage-history.ts';

/** Folds the answer to a status read or a detail read of one computer. */
export function foldComputerRead(
	account: AccountState,
	fact: Extract<Fact, { type: 'statusRead' | 'detailRead' }>,
): AccountState {
	const read = fact.type === 'statusRead' ? 'status' : 'detail';
	const answerTime = answerTimeFrom(fact);
	const answer: AnswerOrigin = { ...answerTime, read };
	const { id } = fact.computer;
	if (wasRemoved(account, id, answer.askedAt)) return account;
	const answered = withAnswer(withContact(account, answerTime), read, answerTime);
	const earlier = account.computers.get(id);
	const reading = withNulls(earlier?.reading, fact.computer, read);
	const updated = updateComputer(answered, earlier, reading, answer);
	const isTold = read === 'status' && isAnswered(updated, reading, answer);
	const next = isTold ? withStatusRead(account, updated) : updated;
	const change = earlier && statusChangeOf(answered, earlier, next, answer);
	const hasStatus = reading.status !== undefined;
	const noted = withAnswerAbout(answered, reading.id, read, { ...answerTime, hasStatus });
	const usage = usageAfter(noted.usage, [reading], answer.at, () => true);
	if (next === earlier) return usage === noted.usage ? noted : { ...noted, usage };
	const computers = withItem(noted.computers, next.id, next);
	const changed = withPhaseChanges({ ...noted, computers, usage }, answer.askedAt);
	const hasNewError = !change && next.reading.error !== earlier?.reading.error;
	return withChanges(hasNewError ? withErrorsExplained(changed, [next]) : changed, [change]);
}

/** Whether a computer is as the answer to a status read says, so that the answer was not outdated. */
function isAnswered(
	{ reading: { status, version, error }, answersValidFrom }: ComputerState,
	answer: Reading,
	{ askedAt }: AnswerOrigin,
): boolean {
	return (
		!isOutdated(askedAt, answersValidFrom) &&
		(answer.status === undefined || isSameStatus(answer.status, status)) &&
		(answer.version === undefined || answer.version === version) &&
		(answer.error === undefined || answer.error === error)
	);
}

function withStatusRead({ release }: AccountState, computer: ComputerState): ComputerState {
	const statusReadFor = release?.version ?? '';
	return computer.statusReadFor === statusReadFor ? computer : { ...computer, statusReadFor };
}

/**
 * Returns an answer in which a field is null if the answer should have had it, it does not, and nothing is known of it. So
 * the field counts as read.
 */
function withNulls(
	earlier: Reading | undefined,
	answer: Reading,
	read: 'status' | 'detail',
): Reading {
	const status = answer.status ?? earlier?.status;
	const isSame = isSameStatus(earlier?.status, status);
	const added = fieldsToldBy(read, phaseOf(status)).filter(
		field =>
			answer[field] === undefined &&
			(earlier?.[field] === undefined || (!isSame && readingRows[field].belongsTo)),
	);
	if (added.length === 0) return answer;
	return { ...answer, ...Object.fromEntries(added.map(field => [field, null])) };
}

function withAnswerAbout(
	account: AccountState,
	id: string,
	read: 'status' | 'detail',
	answer: ComputerAnswer,
): AccountState {
	const { failing, ...answers }: ComputerReads = account.computerReads.get(id) ?? {};
	const { [read]: _, ...others } = failing ?? {};
	const next: ComputerReads = {
		...answers,
		[read]: newerAnswer(answers[read], answer),
		...(Object.keys(others).length > 0 && { failing: others }),
	};
	return { ...account, computerReads: withItem(account.computerReads, id, next) };
}

/**
 * Folds a read by id that found no such computer. If the last list named the computer, the next list decides
 * whether it is removed. A computer that is being created stays, because the platform may not find it by id yet.
 */
export function foldComputerMissing(
	account: AccountState,
	fact: Extract<Fact, { type: 'computerMissed' }>,
): AccountState {
	const answerTime = answerTimeFrom(fact);
	const answer: AnswerOrigin = { ...answerTime, read: 'status' };
	const earlier = account.computers.get(fact.id);
	if (!earlier || isOutdated(answer.askedAt, statusKnownAsOf(account, earlier))) return account;
	const answered = withAnswer(withContact(account, answerTime), 'status', answerTime);
	if (
		earlier.listed === 'absent' &&
		!hasOperationUnderWay(account, fact.id, ({ subject }) => subject === 'account')
	) {
		const change = statusChangeOf(answered, earlier, undefined, answer);
		return withChanges(withoutComputers(answered, [fact.id], answer.at), [change]);
	}
	// If the list still has the computer, asking again would bring the same answer.
	const missing = withStatusRead(account, { ...earlier, isMissing: true });
	const computers = withItem(answered.computers, fact.id, missing);
	return { ...answered, computers };
}
