import type { StatusChange } from '../fleet/change.ts';
import {
	isSameStatus,
	isSameValue,
	phaseOf,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { isFirstCreationStage } from '../fleet/computers/creation-stages.ts';
import { type StopReason, stopReasonOf } from '../fleet/computers/stop-reason.ts';
import {
	isSameStart,
	type PhaseStart,
	phaseStartOf,
	startToleranceMs,
	uptimeOf,
} from '../fleet/computers/uptime.ts';
import { stopsComputer } from '../fleet/operations/operation-table.ts';
import { isOutdated, recordKnownAsOf, statusKnownAsOf } from './freshness.ts';
import { hasOperationUnderWay } from './our-operations.ts';
import type { AccountState, AnswerTime, ComputerState } from './state.ts';
import { lastBusyAt } from './usage-history.ts';

// With a longer gap between two answers, the time of a change is only a lower bound.
const maxGapMs = 120_000;

/** The object stays the same if the answer has no news. */
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
	const knownAsOf = reading.status === undefined ? recordKnownAsOf(account, earlier) : statusAsOf;
	const merged = mergeReading(earlier.reading, reading, isOutdated(askedAt, knownAsOf));
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

/**
 * A field that the answer does not tell keeps its value, unless that belongs to an earlier status or stage. An outdated
 * answer only fills in what nobody has told, and nothing of another status.
 */
function mergeReading(earlier: Reading, next: Reading, isAnswerOutdated: boolean): Reading {
	const news = (Object.keys(next) as ReadingField[]).filter(field => {
		const [before, value] = [earlier[field], next[field]];
		if (value === undefined || isSameValue(before, value)) return false;
		if (field === 'startedAt' && isSameStart(before, value)) return false;
		if (!isAnswerOutdated) return true;
		if (before !== undefined || field === 'startedAt') return false;
		return !(readingRows[field].isInStatus && isOfOtherStatus(earlier, next));
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

/** A computer may have slept during a long silence, so its uptime is counted from the end of the silence. */
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

/** A status that the platform has not sent counts as unknown, because null says that there is no such computer. */
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

/** A duration is known if its end is known to a tenth of it, or to these milliseconds. */
const exactEnoughMs = 10_000;

/** What the platform tells counts, not when somebody looked. */
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
	return { ...rest, stopReason: stopReasonFor(account, earlier, next, idleForMs) };
}

function idleTimeOf(account: AccountState, earlier: ComputerState, at: number): number | undefined {
	const uptime = uptimeOf(earlier, at);
	const busyAt = lastBusyAt(account.usage, earlier.id, at);
	const sinceBusy = busyAt === undefined ? undefined : Math.max(0, at - busyAt);
	if (!uptime || uptime.isLowerBound) return sinceBusy;
	return Math.min(uptime.milliseconds, sinceBusy ?? uptime.milliseconds);
}

function stopReasonFor(
	account: AccountState,
	earlier: ComputerState,
	next: ComputerState,
	idleForMs: number | undefined,
): StopReason {
	const { credits, subscription } = account;
	return stopReasonOf({
		phaseBefore: earlier.phase,
		status: next.reading.status ?? '',
		isOperationUnderWay: hasOperationUnderWay(account, next.id, stopsComputer),
		idleForMs,
		plan: subscription?.plan,
		canRun: credits?.canRun !== false && (credits?.balance ?? 1) > 0,
	});
}
