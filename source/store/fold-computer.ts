import type { Fact } from '../fleet/fact.ts';
import { type Answer, isOutdated, newerAnswer, statusAsOf } from './answer-times.ts';
import { withChanges } from './change-log.ts';
import { hasOperationUnderWay, withPhaseChanges } from './our-operations.ts';
import { answerTimeFrom, withAnswer, withContact } from './read-health.ts';
import { wasRemoved, withoutComputers } from './removed-computers.ts';
import type { AccountState, ComputerAnswer, ComputerReads } from './state.ts';
import { statusChangeOf, updateComputer } from './update-computer.ts';

/** Folds the answer to a status read or a detail read of one computer. */
export function foldComputerRead(
	account: AccountState,
	fact: Extract<Fact, { type: 'statusRead' | 'detailRead' }>,
): AccountState {
	const { computer: reading } = fact;
	const read = fact.type === 'statusRead' ? 'status' : 'detail';
	const sight = answerTimeFrom(fact);
	const answer: Answer = { ...sight, read };
	if (wasRemoved(account, reading.id, answer.askedAt)) return account;
	const listening = withAnswer(withContact(account, sight), read, sight);
	const known = account.computers.get(reading.id);
	const next = updateComputer(listening, known, reading, answer);
	const change = known && statusChangeOf(listening, known, next, answer);
	const isStatusTold = reading.status !== undefined;
	const seen = withAnswerAbout(listening, reading.id, read, { ...sight, hasStatus: isStatusTold });
	if (next === known) return seen;
	const computers = new Map(seen.computers).set(next.id, next);
	return withChanges(withPhaseChanges({ ...seen, computers }, answer.askedAt), [change]);
}

function withAnswerAbout(
	account: AccountState,
	id: string,
	read: 'status' | 'detail',
	answer: ComputerAnswer,
): AccountState {
	const { failing, ...sights }: ComputerReads = account.computerReads.get(id) ?? {};
	const { [read]: _, ...others } = failing ?? {};
	const next: ComputerReads = {
		...sights,
		[read]: newerAnswer(sights[read], answer),
		...(Object.keys(others).length > 0 && { failing: others }),
	};
	return { ...account, computerReads: new Map(account.computerReads).set(id, next) };
}

/**
 * Folds a read by id that found no such computer. If the last list named the computer, the next list decides
 * whether it is removed. A computer that is being created stays, because the platform may not find it by id yet.
 */
export function foldComputerMissing(
	account: AccountState,
	fact: Extract<Fact, { type: 'computerMissed' }>,
): AccountState {
	const sight = answerTimeFrom(fact);
	const answer: Answer = { ...sight, read: 'status' };
	const known = account.computers.get(fact.id);
	if (!known || isOutdated(answer.askedAt, statusAsOf(account, known))) return account;
	const listening = withAnswer(withContact(account, sight), 'status', sight);
	if (
		known.listed === 'absent' &&
		!hasOperationUnderWay(account, fact.id, ({ subject }) => subject === 'account')
	) {
		const change = statusChangeOf(listening, known, undefined, answer);
		return withChanges(withoutComputers(listening, [fact.id], answer.at), [change]);
	}
	const computers = new Map(listening.computers).set(fact.id, { ...known, isMissing: true });
	return { ...listening, computers };
}
