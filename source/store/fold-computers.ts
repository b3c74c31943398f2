import type { Change, StatusChange } from '../fleet/change.ts';
import {
	fieldsToldBy,
	isFirstCreationStage,
	isSameStatus,
	isSameValue,
	phaseOf,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { stopReasonOf } from '../fleet/computers/stop-reason.ts';
import {
	isSameStart,
	type PhaseStart,
	phaseStartOf,
	startToleranceMs,
	uptimeOf,
} from '../fleet/computers/uptime.ts';
import type { FactOf } from '../fleet/fact.ts';
import { isUnderWay } from '../fleet/operations/operation.ts';
import { stopsComputer } from '../fleet/operations/operation-table.ts';
import type { ComputerReadName } from '../fleet/reads.ts';
import { withChanges, withErrorsExplained } from './change-log.ts';
import {
	answerTimeFrom,
	isOutdated,
	statusKnownAsOf,
	withAnswer,
	withContact,
	withStatusAnswer,
} from './freshness.ts';
import { hasOperationUnderWay, withOperationsEnded, withPhaseChanges } from './our-operations.ts';
import type { AccountState, AnswerTime, ComputerReads, ComputerState } from './state.ts';
import { lastBusyAt, usageAfter } from './usage-history.ts';

export function foldList(account: AccountState, fact: FactOf<'listRead'>): AccountState {
	const time = answerTimeFrom(fact);
	if (isOutdated(time.askedAt, account.reads.list?.answer?.askedAt)) return account;
	const contacted = withContact(account, time);
	const { unreadable, repeated, isCut } = fact;
	const isWhole = !unreadable && !isCut;
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
		listNotes: { unreadable, repeated, isCut },
		usage: usageAfter(account.usage, known, time.at),
	};
	const gone = removed.map(({ id }) => id);
	const left = withPhaseChanges(withoutComputers(listed, gone, time.askedAt), time.askedAt);
	return withChanges(withErrorsExplained(left, explained), changes);
}

/** The list may be older than a read by id, or than the computer. */
const mayStillExist = (account: AccountState, computer: ComputerState, askedAt: number) =>
	isOutdated(askedAt, statusKnownAsOf(account, computer)) || isBeingCreated(account, computer.id);

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
	fact: FactOf<'computerRead'>,
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

function withNulls(earlier: Reading | undefined, answer: Reading, read: ComputerReadName): Reading {
	const status = answer.status ?? earlier?.status;
	const isSame = isSameStatus(earlier?.status, status);
	const missing = fieldsToldBy(read, phaseOf(status)).filter(
		field =>
			answer[field] === undefined &&
			(earlier?.[field] === undefined || (!isSame && readingRows[field].belongsTo)),
	);
	return { ...answer, ...Object.fromEntries(missing.map(field => [field, null])) };
}

/** A computer that is being created may not be found by id yet, and the next list decides about a listed one. */
export function foldComputerMissing(
	account: AccountState,
	fact: FactOf<'computerRead'>,
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

// With a longer gap between two answers, the time of a change is only a lower bound.
const maxGapMs = 120_000;

export function updateComputer(
	account: AccountState,
	earlier: ComputerState | undefined,
	reading: Reading,
	time: AnswerTime,
	isOfList = false,
): ComputerState {
	const { askedAt, at } = time;
	if (!earlier) return newComputer(account, reading, at, isOfList);
	const isListed = earlier.isListed || isOfList;
	const statusAsOf = statusKnownAsOf(account, earlier);
	const merged = mergeReading(earlier.reading, reading, isOutdated(askedAt, statusAsOf));
	const isMissing = earlier.isMissing && isOfList;
	const isSame = isSameStatus(earlier.reading.status, merged.status);
	const isGapShort = statusAsOf !== undefined && at - statusAsOf <= maxGapMs;
	const since = isSame
		? startOfSamePhase(account, earlier, statusAsOf, time)
		: { at, isLowerBound: !isGapShort };
	if (
		merged === earlier.reading &&
		since === earlier.since &&
		isListed === earlier.isListed &&
		isMissing === earlier.isMissing
	)
		return earlier;
	const phase = phaseOf(merged.status);
	const next: ComputerState = { ...earlier, reading: merged, phase, since, isListed, isMissing };
	if (phase !== 'creating') delete next.stageStarts;
	else if (merged.stage && merged.stage !== earlier.reading.stage && isGapShort)
		next.stageStarts = { ...earlier.stageStarts, [merged.stage]: at };
	if (isSame) return next;
	delete next.statusReadFor;
	return withStopReason(account, earlier, next, at, isGapShort);
}

/** An outdated answer only fills in fields that no answer has told yet, and none that belongs to another status. */
function mergeReading(earlier: Reading, next: Reading, isAnswerOutdated: boolean): Reading {
	const news = (Object.keys(next) as ReadingField[]).filter(field => {
		const [before, value] = [earlier[field], next[field]];
		if (value === undefined || isSameValue(before, value)) return false;
		if (field === 'startedAt' && isSameStart(before, value)) return false;
		if (!isAnswerOutdated) return true;
		if (before !== undefined || field === 'startedAt') return false;
		return !(readingRows[field].changesWithStatus && isOfOtherStatus(earlier, next));
	});
	if (news.length === 0) return earlier;
	const told = Object.fromEntries(news.map(field => [field, next[field]]));
	const merged: Reading = { ...earlier, ...told };
	const hasOtherStatus = !isSameStatus(earlier.status, merged.status);
	const hasOtherStage = earlier.stage !== merged.stage;
	for (const field of readingFields) {
		const { belongsTo } = readingRows[field];
		const isOver =
			(belongsTo !== undefined && hasOtherStatus) || (belongsTo === 'stage' && hasOtherStage);
		if (isOver && next[field] === undefined) delete merged[field];
	}
	// The application behind a port that this program published has ended with the status.
	if (hasOtherStatus && merged.ports?.some(({ isOurs }) => isOurs)) delete merged.ports;
	return merged;
}

const isOfOtherStatus = (earlier: Reading, next: Reading) =>
	earlier.status !== undefined &&
	next.status !== undefined &&
	!isSameStatus(earlier.status, next.status);

function newComputer(
	{ contact }: AccountState,
	reading: Reading,
	at: number,
	isListed: boolean,
): ComputerState {
	const { id, stage, createdAt } = reading;
	const phase = phaseOf(reading.status);
	const isWatched = at - (contact?.fleetAt ?? Number.NEGATIVE_INFINITY) <= exactEnoughMs;
	const since: PhaseStart = { at, isLowerBound: phase !== 'creating' || !isWatched };
	const computer: ComputerState = { id, reading, phase, since, isListed, isMissing: false };
	if (!stage || phase !== 'creating' || !isFirstCreationStage(stage)) return computer;
	if (typeof createdAt === 'number') computer.stageStarts = { [stage]: Math.min(createdAt, at) };
	else if (!since.isLowerBound) computer.stageStarts = { [stage]: at };
	return computer;
}

/** In a long silence, a computer may have slept and woken: its uptime counts from the end of the silence. */
function startOfSamePhase(
	{ contact }: AccountState,
	{ phase, since }: ComputerState,
	statusAsOf: number | undefined,
	{ at, askedAt }: AnswerTime,
): PhaseStart {
	if (phase !== 'active' || !contact) return since;
	const knownFrom = statusAsOf ?? askedAt;
	if (knownFrom >= contact.since || isOutdated(askedAt, knownFrom)) return since;
	return { at, isLowerBound: true };
}

/** A status that was not sent counts as unknown, because null says that there is no such computer. */
export function statusChangeOf(
	account: AccountState,
	earlier: ComputerState | undefined,
	next: ComputerState | undefined,
	at: number,
): StatusChange | undefined {
	const [from, to] = [earlier?.reading.status, next?.reading.status];
	const computer = next ?? earlier;
	if (!computer || (earlier && next && (from === undefined || isSameStatus(from, to))))
		return undefined;
	const notBefore = (earlier && statusKnownAsOf(account, earlier)) ?? account.contact?.fleetAt;
	if (notBefore === undefined) return undefined;
	const isGoneAsAsked =
		!next && hasOperationUnderWay(account, computer.id, ({ goal }) => goal.reaches === 'gone');
	return {
		type: 'statusChanged',
		at,
		notBefore: Math.min(notBefore, at),
		id: computer.id,
		name: computer.reading.name || undefined,
		from: earlier ? (from ?? 'unknown') : null,
		to: next ? (to ?? 'unknown') : null,
		lasted: lastedOf(earlier, next, notBefore, at),
		wasAsleep: (earlier?.phase === 'stopped' && earlier.stopReason === 'asleep') || undefined,
		reason: isGoneAsAsked ? 'asked' : next?.stopReason,
		error: next?.phase === 'error' ? (next.reading.error ?? undefined) : undefined,
	};
}

/** A duration is known if its end is known to a tenth of it, or to this. */
const exactEnoughMs = 10_000;

function lastedOf(
	earlier: ComputerState | undefined,
	next: ComputerState | undefined,
	notBefore: number,
	at: number,
): number | undefined {
	const start = earlier && phaseStartOf(earlier);
	if (!start || start.isLowerBound) return undefined;
	const told = next?.phase === 'active' ? next.reading.startedAt : undefined;
	const isTold =
		typeof told === 'number' &&
		told >= Math.max(start.at, notBefore - startToleranceMs) &&
		told <= at + startToleranceMs;
	const lasted = Math.max(0, (isTold ? told : at) - start.at);
	const uncertainty = isTold ? 0 : at - notBefore;
	return uncertainty <= Math.max(exactEnoughMs, lasted / 10) ? lasted : undefined;
}

function withStopReason(
	account: AccountState,
	earlier: ComputerState,
	next: ComputerState,
	at: number,
	isGapShort: boolean,
): ComputerState {
	const { stopReason: _, idleForMs: before, ...rest } = next;
	const isStopSeen = earlier.phase === 'active' && isGapShort;
	const idleForMs = (isStopSeen ? idleTimeOf(account, earlier, at) : undefined) ?? before;
	if (next.phase === 'stopping') return { ...rest, idleForMs };
	if (next.phase !== 'stopped') return rest;
	const { credits, subscription } = account;
	const stopReason = stopReasonOf({
		phaseBefore: earlier.phase,
		status: next.reading.status ?? '',
		isOperationUnderWay: hasOperationUnderWay(account, next.id, stopsComputer),
		idleForMs,
		plan: subscription?.plan,
		canRun: credits?.canRun !== false && (credits?.balance ?? 1) > 0,
	});
	return { ...rest, stopReason };
}

function idleTimeOf(account: AccountState, earlier: ComputerState, at: number): number | undefined {
	const uptime = uptimeOf(earlier, at);
	const busyAt = lastBusyAt(account.usage, earlier.id, at);
	const sinceBusy = busyAt === undefined ? undefined : Math.max(0, at - busyAt);
	if (!uptime || uptime.isLowerBound) return sinceBusy;
	return Math.min(uptime.milliseconds, sinceBusy ?? uptime.milliseconds);
}
