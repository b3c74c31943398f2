import type { Change } from '../fleet/change.ts';
import { type Reading, type ReadingField, readingFields } from '../fleet/computers/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import { type AnswerOrigin, existenceKnownAsOf, isOutdated } from './answer-times.ts';
import { withChanges, withErrorsExplained } from './change-log.ts';
import { hasOperationUnderWay, withPhaseChanges } from './our-operations.ts';
import { answerTimeFrom, withAnswer, withContact } from './read-health.ts';
import { wasRemoved, withoutComputers } from './removed-computers.ts';
import type { AccountState, ComputerState } from './state.ts';
import { statusChangeOf, updateComputer } from './update-computer.ts';
import { usageAfter } from './usage-history.ts';

type Computers = AccountState['computers'];

type ListFact = Extract<Fact, { type: 'listRead' }>;

/** The steps of a fold. Each takes a few milliseconds at most, even with ten thousand computers. */
export type FoldSteps = Generator<undefined, AccountState>;

// Updating this many computers takes a millisecond or two.
const computersPerStep = 500;

/** The results of folds that were made in advance, keyed by the folded fact. */
const madeInAdvance = new WeakMap<ListFact, { before: AccountState; after: AccountState }>();

/** Folds a list. A computer that a complete list does not name is removed. */
export function foldList(account: AccountState, fact: ListFact): AccountState {
	const made = madeInAdvance.get(fact);
	// Both accounts would otherwise stay in memory as long as the fact.
	madeInAdvance.delete(fact);
	if (made?.before === account) return made.after;
	const steps = stepsOfList(account, fact);
	let step = steps.next();
	while (!step.done) step = steps.next();
	return step.value;
}

/**
 * Folds a list in steps and keeps the result. When the same fact is later folded into the same account, `foldList`
 * returns that result at once.
 */
export function* foldListInAdvance(account: AccountState, fact: ListFact): FoldSteps {
	const after = yield* stepsOfList(account, fact);
	madeInAdvance.set(fact, { before: account, after });
	return after;
}

function* stepsOfList(account: AccountState, fact: ListFact): FoldSteps {
	const answerTime = answerTimeFrom(fact);
	if (isOutdated(answerTime.askedAt, account.reads.list?.answer?.askedAt)) return account;
	const answer: AnswerOrigin = { ...answerTime, read: 'list' };
	const contacted = withContact(account, answerTime);
	const isWhole = !fact.unreadable;
	const isSame = namesSameComputers(account.computers, fact.computers);
	const readings = isSame ? fact.computers : withoutDuplicates(fact.computers);
	yield;
	const { named, changed, explained, changes } = yield* updateListed(
		contacted,
		readings,
		isSame,
		answer,
	);
	const { computers, computerReads, removed } = isSame
		? {
				computers: withReplaced(account.computers, changed),
				computerReads: account.computerReads,
				removed: [],
			}
		: inListOrder(account, named, answer.askedAt, isWhole);
	yield;
	const listFields = yield* listFieldsAfter(account.listFields, fact.computers);
	const listed: AccountState = {
		...withAnswer(contacted, 'list', answerTime),
		computers,
		computerReads,
		contact: { ...contacted.contact, ...(isWhole && { fleetAt: answer.askedAt }) },
		listFields,
		unreadableCount: fact.unreadable ?? 0,
		repeatedCount: fact.repeated ?? 0,
	};
	const left = withoutComputers(
		listed,
		removed.map(({ id }) => id),
		answer.askedAt,
	);
	const removalChanges = removed.map(earlier =>
		statusChangeOf(contacted, earlier, undefined, answer),
	);
	yield;
	let { usage } = left;
	for (let place = 0; place < readings.length; place += computersPerStep) {
		const some = readings.slice(place, place + computersPerStep);
		usage = usageAfter(usage, some, answer.at, id => computers.has(id));
		yield;
	}
	const phased = withPhaseChanges({ ...left, usage }, answer.askedAt);
	return withChanges(withErrorsExplained(phased, explained), [...changes, ...removalChanges]);
}

// Most lists name the same computers in the same order as the store. Then no computer has to be looked up by
// id, which matters with ten thousand of them.
function namesSameComputers(computers: Computers, readings: readonly Reading[]): boolean {
	if (readings.length !== computers.size) return false;
	let place = 0;
	for (const id of computers.keys()) {
		if (readings[place]?.id !== id) return false;
		place += 1;
	}
	return true;
}

function withoutDuplicates(readings: readonly Reading[]): readonly Reading[] {
	return [...new Map(readings.map(reading => [reading.id, reading])).values()];
}

function* updateListed(
	account: AccountState,
	readings: readonly Reading[],
	isSame: boolean,
	answer: AnswerOrigin,
) {
	const named: ComputerState[] = [];
	const changed: ComputerState[] = [];
	const explained: ComputerState[] = [];
	const changes: (Change | undefined)[] = [];
	const inOrder = account.computers.values();
	for (const [place, reading] of readings.entries()) {
		if (place % computersPerStep === computersPerStep - 1) yield;
		const earlier = isSame ? inOrder.next().value : account.computers.get(reading.id);
		if (!earlier && wasRemoved(account, reading.id, answer.askedAt)) continue;
		const computer = updateComputer(account, earlier, reading, answer);
		named.push(computer);
		if (computer === earlier) continue;
		changed.push(computer);
		if (earlier && earlier.reading.status === computer.reading.status) {
			if (earlier.reading.error !== computer.reading.error) explained.push(computer);
			continue;
		}
		changes.push(statusChangeOf(account, earlier, computer, answer));
	}
	return { named, changed, explained, changes };
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
	const removed: ComputerState[] = [];
	const unlisted: ComputerState[] = [];
	for (const computer of account.computers.values()) {
		if (next.has(computer.id)) continue;
		if (isListComplete && !mayStillExist(account, computer, askedAt)) {
			removed.push(computer);
			continue;
		}
		if (computer.listed === 'with-status') unlisted.push(computer);
		next.set(
			computer.id,
			computer.listed === 'absent' ? computer : { ...computer, listed: 'absent' },
		);
	}
	const computers = haveSameEntries(account.computers, next) ? account.computers : next;
	return { computers, computerReads: withListAnswers(account, unlisted), removed };
}

// The data of a computer that the new list omits is as old as the last list that named it.
function withListAnswers(
	{ computerReads, reads }: AccountState,
	unlisted: readonly ComputerState[],
): AccountState['computerReads'] {
	const list = reads.list?.answer;
	if (!list || unlisted.length === 0) return computerReads;
	const next = new Map(computerReads);
	for (const { id } of unlisted) next.set(id, { ...computerReads.get(id), list });
	return next;
}

// A computer may be missing from the list and still exist: a read by id confirmed it after the list was
// requested, or it is so new that the list lags behind.
function mayStillExist(account: AccountState, computer: ComputerState, askedAt: number): boolean {
	return (
		isOutdated(askedAt, existenceKnownAsOf(account, computer)) ||
		hasOperationUnderWay(account, computer.id, ({ subject }) => subject === 'account')
	);
}

function haveSameEntries(earlier: Computers, next: Computers): boolean {
	if (earlier.size !== next.size) return false;
	const others = earlier.values();
	for (const computer of next.values()) {
		if (computer !== others.next().value) return false;
	}
	return true;
}

function* listFieldsAfter(
	earlier: AccountState['listFields'],
	computers: readonly Reading[],
): Generator<undefined, AccountState['listFields']> {
	if (computers.length === 0) return earlier;
	const present: ReadingField[] = [];
	for (const field of readingFields) {
		if (isInAny(computers, field)) present.push(field);
		yield;
	}
	const isSame = present.length === earlier.size && present.every(field => earlier.has(field));
	return isSame ? earlier : new Set(present);
}

// This is a plain loop for speed: if no computer has the field, all computers are searched.
function isInAny(computers: readonly Reading[], field: ReadingField): boolean {
	for (const reading of computers) if (reading[field] !== undefined) return true;
	return false;
}
