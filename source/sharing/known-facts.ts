import type { Fact } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import { isOfThisProcess } from '../fleet/operations/operation.ts';
import { readOfAnswer } from '../fleet/reads.ts';
import { isLongOutdated, isOutdated, statusKnownAsOf } from '../store/freshness.ts';
import { operationIn } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';
import { recalledUsageFrom } from '../store/usage-history.ts';

/** The latest answers, from which a new follower builds the same fleet. */
export type AnswerMemory = {
	note(fact: Fact): void;
	/** Returns the remembered facts in the order in which they happened. */
	facts(): readonly Fact[];
};

export function createAnswerMemory(): AnswerMemory {
	const latest = new Map<string, Fact>();

	function replace(key: string, fact: Fact) {
		// A map keeps the position of a key that is set again, so the key is deleted first. It then goes to the end.
		latest.delete(key);
		latest.set(key, fact);
	}

	return {
		note(fact) {
			if (audienceByFact[fact.type] !== 'followers' || isEvent(fact)) return;
			if (fact.type === 'listRead') dropDetailsBefore(latest, fact);
			replace(memoryKeyOf(fact), fact);
			// An answer ends the failure of its read.
			const read = readOfAnswer(fact);
			if (read) latest.delete(`readFailed ${read} ${idOf(fact)}`);
		},
		facts: () => [...latest.values()],
	};
}

/** Whether a fact is an event. Events are not remembered, because a later follower would take them for new ones. */
const isEvent = ({ type }: Fact) => type === 'paneLeft' || type === 'hookFailed';

const idOf = (fact: Fact): string => {
	if ('id' in fact && fact.id !== undefined) return fact.id;
	return 'computer' in fact && typeof fact.computer === 'object' ? fact.computer.id : '';
};

const memoryKeyOf = (fact: Fact): string =>
	`${fact.type} ${'read' in fact ? fact.read : ''} ${idOf(fact)}`;

/** Drops the answers about computers that the new list does not contain. */
function dropDetailsBefore(latest: Map<string, Fact>, list: Extract<Fact, { type: 'listRead' }>) {
	// There are few answers about single computers, and a list may have thousands.
	const unlisted = new Set<string>();
	for (const fact of latest.values()) unlisted.add(idOf(fact));
	unlisted.delete('');
	for (const { id } of list.computers) {
		if (unlisted.size === 0) return;
		unlisted.delete(id);
	}
	for (const [key, fact] of latest) if (unlisted.has(idOf(fact))) latest.delete(key);
}

/**
 * Returns the fact from which another process learns the share of the limits that a person chose; none without a
 * choice.
 */
export const shareFacts = (
	account: string,
	{ chosenShare }: Pick<AccountState, 'chosenShare'>,
): readonly Fact[] =>
	chosenShare ? [{ account, at: chosenShare.chosenAt, type: 'shareChosen', ...chosenShare }] : [];

/** Returns the fact from which a new follower learns the CPU and memory of the last half hour. */
export function usageFacts(
	account: string,
	{ usage, computers }: Pick<AccountState, 'usage' | 'computers'>,
	now: number,
): readonly Fact[] {
	const recalled = recalledUsageFrom(usage, [...computers.keys()]);
	return recalled ? [{ account, at: now, type: 'recalled', usage: recalled }] : [];
}

/** Returns which other processes learn of a fact from this one; undefined for none. */
export function audienceOf(fact: Fact, account: AccountState): 'followers' | 'panes' | undefined {
	const audience = audienceByFact[fact.type];
	if (audience === 'none' || audience === 'newFollowers') return undefined;
	return audience === 'panes' && !isOfOwnOperation(fact, account) ? undefined : audience;
}

/** Returns the operation that a fact is about, as this process knows it. */
const operationOf = (fact: Fact, account: AccountState) =>
	fact.type === 'operationChanged' ? operationIn(account, fact.key) : undefined;

/**
 * Whether a fact is not about an operation of another process. A person may dismiss such an operation, which is not shared.
 * If its process has ended, the recorder reports how the operation ended.
 */
function isOfOwnOperation(fact: Fact, account: AccountState): boolean {
	const operation = operationOf(fact, account);
	return !operation || isOfThisProcess(operation) || operation.abandonedAt !== undefined;
}

/** The rate limits let even all panes together not send this many operations in an hour. */
const maxOperations = 2_000;

/**
 * Whether a fact of another process may be folded. Old answers are refused, because the log would show a change back
 * and forth. Facts about the operations of this process are refused as well: no correct program sends
 * them. What a broken program asks for without end is refused too.
 */
export function isAcceptable(fact: Fact, account: AccountState, now: number): boolean {
	if (isLongOutdated(fact.askedAt ?? fact.at, knownAsOf(fact, account), now)) return false;
	if (fact.type === 'listRead' && isOlderThanSnapshot(fact, account, now)) return false;
	const operation = operationOf(fact, account);
	const isNew = fact.type === 'operationChanged' && !operation;
	if (isNew && account.operations.size >= maxOperations) return false;
	return operation === undefined || !isOfThisProcess(operation);
}

/**
 * Whether a list is older than the snapshot that this process started from. A leader that was stopped sends such a
 * list when it continues.
 */
function isOlderThanSnapshot({ at }: Fact, { computerReads }: AccountState, now: number): boolean {
	for (const { restoredFrom = at } of computerReads.values()) {
		if (isOutdated(at, restoredFrom) || isLongOutdated(at, restoredFrom, now)) return true;
	}
	return false;
}

/**
 * Returns how recent this process's own data about the subject of an answer is; undefined without such data. The data
 * may be more recent than the answer:
 *
 * ```
 *   the leader        detail ── list ───── list ── list       one process leads, and remembers its only detail
 *   another process                 └─ list ── list ── list   follows again, and receives that detail
 * ```
 */
function knownAsOf(fact: Fact, account: AccountState): number | undefined {
	const computer = account.computers.get(idOf(fact));
	switch (fact.type) {
		case 'statusRead':
		case 'detailRead':
		case 'computerMissed':
			return computer && statusKnownAsOf(account, computer);
		case 'readFailed':
			return account.reads[fact.read]?.answer?.askedAt;
		case 'listRead':
			return account.reads.list?.answer?.askedAt;
		case 'answered':
			return account.reads[fact.read]?.answer?.askedAt;
		default:
			return undefined;
	}
}
