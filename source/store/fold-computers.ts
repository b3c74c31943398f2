import type { Change } from '../fleet/change.ts';
import {
	isSameStatus,
	phaseOf,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { fieldsToldBy } from '../fleet/computers/not-read.ts';
import type { Fact } from '../fleet/fact.ts';
import { isUnderWay } from '../fleet/operations/operation.ts';
import { withChanges, withErrorsExplained } from './change-log.ts';
import {
	answerTimeFrom,
	existenceKnownAsOf,
	isOutdated,
	statusKnownAsOf,
	withAnswer,
	withContact,
	withStatusAnswer,
} from './freshness.ts';
import { hasOperationUnderWay, withOperationsEnded, withPhaseChanges } from './our-operations.ts';
import type { AccountState, AnswerTime, ComputerReads, ComputerState } from './state.ts';
import { statusChangeOf, updateComputer } from './update-computer.ts';
import { usageAfter } from './usage-history.ts';

export function foldList(
	account: AccountState,
	fact: Extract<Fact, { type: 'listRead' }>,
): AccountState {
	const time = answerTimeFrom(fact);
	if (isOutdated(time.askedAt, account.reads.list?.answer?.askedAt)) return account;
	const contacted = withContact(account, time);
	const isWhole = !fact.unreadable && !fact.isCut;
	const computers = new Map<string, ComputerState>();
	const computerReads = new Map(account.computerReads);
	const changes: (Change | undefined)[] = [];
	const explained: ComputerState[] = [];
	for (const reading of fact.computers) {
		const { id } = reading;
		const earlier = computers.get(id) ?? account.computers.get(id);
		if (!earlier && wasRemoved(account, id, time.askedAt)) continue;
		const computer = updateComputer(contacted, earlier, reading, time, true);
		computers.set(id, computer);
		if (reading.status !== undefined)
			computerReads.set(id, withStatusAnswer(computerReads.get(id), time));
		if (computer === earlier) continue;
		changes.push(statusChangeOf(contacted, earlier, computer, time.at));
		if (earlier && earlier.reading.error !== computer.reading.error) explained.push(computer);
	}
	const known = fact.computers.filter(({ id }) => computers.has(id));
	const removed: ComputerState[] = [];
	for (const earlier of account.computers.values()) {
		if (computers.has(earlier.id)) continue;
		if (isWhole && !mayStillExist(account, earlier, time.askedAt)) {
			removed.push(earlier);
			continue;
		}
		computers.set(earlier.id, earlier.isListed ? { ...earlier, isListed: false } : earlier);
	}
	changes.push(...removed.map(each => statusChangeOf(contacted, each, undefined, time.at)));
	const listed: AccountState = {
		...withAnswer(contacted, 'list', time),
		computers: hasSameEntries(account.computers, computers) ? account.computers : computers,
		computerReads,
		contact: isWhole ? { ...contacted.contact, fleetAt: time.askedAt } : contacted.contact,
		listFields:
			fact.computers.length > 0 ? fieldsOf(fact.computers, account.listFields) : account.listFields,
		unreadableCount: fact.unreadable ?? 0,
		repeatedCount: fact.repeated ?? 0,
		isListCut: fact.isCut ?? false,
		usage: usageAfter(account.usage, known, time.at),
	};
	const gone = removed.map(({ id }) => id);
	const left = withPhaseChanges(withoutComputers(listed, gone, time.askedAt), time.askedAt);
	return withChanges(withErrorsExplained(left, explained), changes);
}

/** A read by id confirmed the computer after the list was requested, or it is so new that the list lags behind. */
const mayStillExist = (account: AccountState, computer: ComputerState, askedAt: number) =>
	isOutdated(askedAt, existenceKnownAsOf(account, computer)) ||
	isBeingCreated(account, computer.id);

const isBeingCreated = (account: AccountState, id: string) =>
	hasOperationUnderWay(account, id, ({ subject }) => subject === 'account');

function hasSameEntries(one: AccountState['computers'], other: AccountState['computers']): boolean {
	if (one.size !== other.size) return false;
	const others = other.values();
	for (const computer of one.values()) if (computer !== others.next().value) return false;
	return true;
}

function fieldsOf(
	readings: readonly Reading[],
	before?: ReadonlySet<ReadingField>,
): ReadonlySet<ReadingField> {
	const present = readingFields.filter(field => readings.some(each => each[field] !== undefined));
	const isSame = present.length === before?.size && present.every(field => before.has(field));
	return isSame ? before : new Set(present);
}

export function foldComputerRead(
	account: AccountState,
	fact: Extract<Fact, { type: 'computerRead' }>,
): AccountState {
	const { read } = fact;
	const time = answerTimeFrom(fact);
	const { id } = fact.computer;
	if (wasRemoved(account, id, time.askedAt)) return account;
	const next = withAnswer(withContact(account, time), read, time);
	const earlier = account.computers.get(id);
	const reading = withNulls(earlier?.reading, fact.computer, read);
	const updated = updateComputer(next, earlier, reading, time);
	const isTold = read === 'status' && isAsTold(updated, reading, time);
	const computer = isTold ? withStatusRead(account, updated) : updated;
	const change = earlier && statusChangeOf(next, earlier, computer, time.at);

	const { failing, ...reads }: ComputerReads = account.computerReads.get(id) ?? {};
	const isNewest = !isOutdated(time.askedAt, reads[read]?.askedAt);
	if (isNewest) reads[read] = time;
	const { [read]: _, ...others } = failing ?? {};
	const isFailing = Object.keys(others).length > 0;
	const about = isFailing ? { ...reads, failing: others } : reads;
	const told = reading.status === undefined ? about : withStatusAnswer(about, time);
	next.computerReads = new Map(account.computerReads).set(id, told);

	if (read === 'detail') next.detailFields = fieldsOf([fact.computer], account.detailFields);
	else next.statusFields = withFields(account.statusFields, fact.computer);
	next.usage = usageAfter(account.usage, [reading], time.at);
	if (computer === earlier) return next;
	next.computers = new Map(account.computers).set(id, computer);
	const changed = withPhaseChanges(next, time.askedAt);
	const isExplained = !change && computer.reading.error !== earlier?.reading.error;
	return withChanges(isExplained ? withErrorsExplained(changed, [computer]) : changed, [change]);
}

function withFields(before: ReadonlySet<ReadingField>, reading: Reading) {
	const added = [...fieldsOf([reading])].filter(field => !before.has(field));
	return added.length === 0 ? before : new Set([...before, ...added]);
}

function isAsTold(
	{ reading: { status, version, error }, answersValidFrom }: ComputerState,
	told: Reading,
	{ askedAt }: AnswerTime,
): boolean {
	return (
		!isOutdated(askedAt, answersValidFrom) &&
		(told.status === undefined || isSameStatus(told.status, status)) &&
		(told.version === undefined || told.version === version) &&
		(told.error === undefined || told.error === error)
	);
}

function withStatusRead({ release }: AccountState, computer: ComputerState): ComputerState {
	const statusReadFor = release?.version ?? '';
	return computer.statusReadFor === statusReadFor ? computer : { ...computer, statusReadFor };
}

/** The fields that the answer should have had become null, so they count as read. */
function withNulls(
	earlier: Reading | undefined,
	answer: Reading,
	read: 'status' | 'detail',
): Reading {
	const status = answer.status ?? earlier?.status;
	const isSame = isSameStatus(earlier?.status, status);
	const missing = fieldsToldBy(read, phaseOf(status)).filter(
		field =>
			answer[field] === undefined &&
			(earlier?.[field] === undefined || (!isSame && readingRows[field].belongsTo)),
	);
	return { ...answer, ...Object.fromEntries(missing.map(field => [field, null])) };
}

/** The next list decides about a listed computer. One that is being created may not be found by id yet. */
export function foldComputerMissing(
	account: AccountState,
	fact: Extract<Fact, { type: 'computerRead' }>,
): AccountState {
	const { id } = fact.computer;
	const time = answerTimeFrom(fact);
	const earlier = account.computers.get(id);
	if (!earlier || isOutdated(time.askedAt, statusKnownAsOf(account, earlier))) return account;
	const next = withAnswer(withContact(account, time), 'status', time);
	if (!earlier.isListed && !isBeingCreated(account, id)) {
		const change = statusChangeOf(next, earlier, undefined, time.at);
		return withChanges(withoutComputers(next, [id], time.at), [change]);
	}
	// If the list still has the computer, asking again would bring the same answer.
	const missing = withStatusRead(account, { ...earlier, isMissing: true });
	return { ...next, computers: new Map(account.computers).set(id, missing) };
}

/** Longer than any request takes, so that no late answer restores a removed computer. */
const removalRememberedMs = 300_000;

function wasRemoved({ removalTimes }: AccountState, id: string, askedAt: number): boolean {
	const at = removalTimes.get(id);
	return at !== undefined && askedAt < at && at - askedAt < removalRememberedMs;
}

export function withoutComputers(
	account: AccountState,
	ids: readonly string[],
	at: number,
): AccountState {
	if (ids.length === 0) return account;
	const computers = new Map(account.computers);
	const computerReads = new Map(account.computerReads);
	const usage = new Map(account.usage);
	const isRecent = ([, time]: [string, number]) => Math.abs(at - time) < removalRememberedMs;
	const removalTimes = new Map([...account.removalTimes].filter(isRecent));
	for (const id of ids) {
		computers.delete(id);
		computerReads.delete(id);
		usage.delete(id);
		removalTimes.set(id, at);
	}
	const failed = [...account.operations.values()].filter(
		operation => !isUnderWay(operation) && ids.includes(operation.spec.computer ?? ''),
	);
	return withOperationsEnded(
		{ ...account, computers, computerReads, removalTimes, usage },
		failed.map(({ spec }) => spec.key),
	);
}
