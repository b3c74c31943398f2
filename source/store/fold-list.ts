import type { Change } from '../fleet/change.ts';
import { type Reading, type ReadingField, readingFields } from '../fleet/computers/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import { type Answer, existenceAsOf, isOutdated } from './answer-times.ts';
import { withChanges } from './change-log.ts';
import { hasOperationUnderWay, withPhaseChanges } from './our-operations.ts';
import { answerTimeFrom, withAnswer, withContact } from './read-health.ts';
import { wasRemoved, withoutComputers } from './removed-computers.ts';
import type { AccountState, ComputerState } from './state.ts';
import { statusChangeOf, updateComputer } from './update-computer.ts';

type Computers = AccountState['computers'];

/** Folds a list. A computer that a complete list does not name is removed. */
export function foldList(
	account: AccountState,
	fact: Extract<Fact, { type: 'listRead' }>,
): AccountState {
	const sight = answerTimeFrom(fact);
	if (isOutdated(sight.askedAt, account.reads.list?.answer?.askedAt)) return account;
	const answer: Answer = { ...sight, read: 'list' };
	const listening = withContact(account, sight);
	const isWhole = !fact.unreadable;
	const isSame = namesSameComputers(account.computers, fact.computers);
	const readings = isSame ? fact.computers : withoutDuplicates(fact.computers);
	const { named, changed, changes } = updateListed(listening, readings, isSame, answer);
	const { computers, sights, away } = isSame
		? {
				computers: withReplaced(account.computers, changed),
				sights: account.computerReads,
				away: [],
			}
		: inListOrder(account, named, answer.askedAt, isWhole);
	const listed: AccountState = {
		...withAnswer(listening, 'list', sight),
		computers,
		computerReads: sights,
		contact: { ...listening.contact, ...(isWhole && { fleetAt: answer.askedAt }) },
		listFields: listFieldsAfter(account.listFields, fact.computers),
		unreadable: fact.unreadable ?? 0,
	};
	const left = withoutComputers(
		listed,
		away.map(({ id }) => id),
		answer.askedAt,
	);
	const goneChanges = away.map(known => statusChangeOf(listening, known, undefined, answer));
	return withChanges(withPhaseChanges(left, answer.askedAt), [...changes, ...goneChanges]);
}

// Most lists name the same computers in the same order as the store. Then no computer has to be looked up by
// id, which matters with ten thousand of them.
function namesSameComputers(computers: Computers, readings: readonly Reading[]): boolean {
	if (readings.length !== computers.size) return false;
	const ids = computers.keys();
	return readings.every(({ id }) => id === ids.next().value);
}

function withoutDuplicates(readings: readonly Reading[]): readonly Reading[] {
	return [...new Map(readings.map(reading => [reading.id, reading])).values()];
}

function updateListed(
	account: AccountState,
	readings: readonly Reading[],
	isSame: boolean,
	answer: Answer,
) {
	const named: ComputerState[] = [];
	const changed: ComputerState[] = [];
	const changes: (Change | undefined)[] = [];
	const inOrder = account.computers.values();
	for (const reading of readings) {
		const known = isSame ? inOrder.next().value : account.computers.get(reading.id);
		if (!known && wasRemoved(account, reading.id, answer.askedAt)) continue;
		const computer = updateComputer(account, known, reading, answer);
		named.push(computer);
		if (computer === known) continue;
		changed.push(computer);
		changes.push(statusChangeOf(account, known, computer, answer));
	}
	return { named, changed, changes };
}

function withReplaced(computers: Computers, changed: readonly ComputerState[]): Computers {
	if (changed.length === 0) return computers;
	const next = new Map(computers);
	for (const computer of changed) next.set(computer.id, computer);
	return next;
}

/**
 * Returns the computers in the order of the list, followed by those that the list omits but that may still
 * exist.
 */
function inListOrder(
	account: AccountState,
	named: readonly ComputerState[],
	askedAt: number,
	isListComplete: boolean,
) {
	const next = new Map(named.map(computer => [computer.id, computer]));
	const away: ComputerState[] = [];
	const unnamed: ComputerState[] = [];
	for (const known of account.computers.values()) {
		if (next.has(known.id)) continue;
		if (isListComplete && !mayStillExist(account, known, askedAt)) {
			away.push(known);
			continue;
		}
		if (known.listed === 'with-status') unnamed.push(known);
		next.set(known.id, known.listed === 'absent' ? known : { ...known, listed: 'absent' });
	}
	const computers = haveSameEntries(account.computers, next) ? account.computers : next;
	return { computers, sights: withListAnswers(account, unnamed), away };
}

// A computer that this list omits keeps the age of the earlier list that named it.
function withListAnswers(
	{ computerReads, reads }: AccountState,
	unnamed: readonly ComputerState[],
): AccountState['computerReads'] {
	const list = reads.list?.answer;
	if (!list || unnamed.length === 0) return computerReads;
	const next = new Map(computerReads);
	for (const { id } of unnamed) next.set(id, { ...computerReads.get(id), list });
	return next;
}

// A computer may be missing from the list and still exist: a read by id confirmed it after the list was
// requested, or it is so new that the list lags behind.
function mayStillExist(account: AccountState, known: ComputerState, askedAt: number): boolean {
	return (
		isOutdated(askedAt, existenceAsOf(account, known)) ||
		hasOperationUnderWay(account, known.id, ({ subject }) => subject === 'account')
	);
}

function haveSameEntries(known: Computers, next: Computers): boolean {
	if (known.size !== next.size) return false;
	const others = known.values();
	for (const computer of next.values()) {
		if (computer !== others.next().value) return false;
	}
	return true;
}

function listFieldsAfter(
	known: AccountState['listFields'],
	computers: readonly Reading[],
): AccountState['listFields'] {
	if (computers.length === 0) return known;
	const isPresent = (field: ReadingField) =>
		computers.some(reading => reading[field] !== undefined);
	const present = readingFields.filter(isPresent);
	const isSame = present.length === known.size && present.every(field => known.has(field));
	return isSame ? known : new Set(present);
}
