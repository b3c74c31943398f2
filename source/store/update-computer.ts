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
import { type StopReason, stopReasonOf } from '../fleet/computers/stop-reason.ts';
import { type Since, startToleranceMs, uptimeOf } from '../fleet/computers/uptime.ts';
import { stopsComputer } from '../fleet/operations/operation-table.ts';
import { type Answer, isOutdated, otherFieldsAsOf, statusAsOf } from './answer-times.ts';
import { hasOperationUnderWay } from './our-operations.ts';
import type { AccountState, ComputerState } from './state.ts';

// The time of a status change is only a bound if the answers before and after it are further apart than this.
const maxGapMs = 120_000;

/** Returns a computer after an answer about it. The object stays the same if the answer has no news. */
export function updateComputer(
	account: AccountState,
	known: ComputerState | undefined,
	reading: Reading,
	answer: Answer,
): ComputerState {
	const listed = listedStateAfter(known, reading, answer);
	if (!known) return newComputer(account, reading, listed, answer);
	const { askedAt } = answer;
	const merged = mergeReading(known.reading, reading, () => ({
		isStatusOutdated: isOutdated(askedAt, statusAsOf(account, known)),
		areOtherFieldsOutdated: isOutdated(askedAt, otherFieldsAsOf(account, known)),
	}));
	const isMissing = known.isMissing && answer.read === 'list';
	const isSame = isSameStatus(known.reading.status, merged.status);
	const since = isSame
		? sinceOfUnchangedPhase(account, known, answer)
		: sinceOfChangedPhase(account, known, answer);
	if (
		merged === known.reading &&
		since === known.since &&
		listed === known.listed &&
		isMissing === known.isMissing
	) {
		return known;
	}
	const next: ComputerState = {
		...known,
		reading: merged,
		phase: phaseOf(merged.status),
		since,
		listed,
		isMissing,
	};
	return isSame ? next : withStopReason(account, known, next, answer.at);
}

/** Returns the change for the log; undefined if the status is unchanged, or reported for the first time. */
export function statusChangeOf(
	account: AccountState,
	known: ComputerState | undefined,
	next: ComputerState | undefined,
	answer: Answer,
): StatusChange | undefined {
	const [from, to] = [known?.reading.status, next?.reading.status];
	const computer = next ?? known;
	if (!computer || (known && next && (from === undefined || isSameStatus(from, to))))
		return undefined;
	const notBefore = known ? statusAsOf(account, known) : account.contact?.fleetAt;
	if (notBefore === undefined) return undefined;
	const { name } = computer.reading;
	return {
		type: 'statusChanged',
		at: answer.at,
		notBefore: Math.min(notBefore, answer.at),
		id: computer.id,
		...(name && { name }),
		from: from ?? null,
		to: to ?? null,
		...(known && !known.since.isLowerBound && { lasted: Math.max(0, answer.at - known.since.at) }),
		...(next?.stopReason && { reason: next.stopReason }),
		...(!next &&
			hasOperationUnderWay(account, computer.id, ({ goal }) => goal.reaches === 'gone') && {
				reason: 'asked' as const,
			}),
	};
}

function newComputer(
	{ contact }: AccountState,
	reading: Reading,
	listed: ComputerState['listed'],
	answer: Answer,
): ComputerState {
	const phase = phaseOf(reading.status);
	const isWatched = answer.at - (contact?.fleetAt ?? Number.NEGATIVE_INFINITY) <= maxGapMs;
	const since: Since = { at: answer.at, isLowerBound: phase !== 'creating' || !isWatched };
	return { id: reading.id, reading, phase, since, listed, isMissing: false };
}

function listedStateAfter(
	known: ComputerState | undefined,
	{ status }: Reading,
	{ read }: Answer,
): ComputerState['listed'] {
	if (read !== 'list') return known?.listed ?? 'absent';
	return status === undefined ? 'named' : 'with-status';
}

function sinceOfChangedPhase(account: AccountState, known: ComputerState, { at }: Answer): Since {
	const knownFrom = statusAsOf(account, known);
	return { at, isLowerBound: knownFrom === undefined || at - knownFrom > maxGapMs };
}

// A computer that was active before and after a long silence may have slept in between, so its uptime starts
// again.
function sinceOfUnchangedPhase(
	account: AccountState,
	known: ComputerState,
	{ at, askedAt }: Answer,
): Since {
	const { contact, reads } = account;
	if (known.phase !== 'active' || !contact) return known.since;
	if (known.listed === 'with-status' && (reads.list?.answer?.askedAt ?? 0) >= contact.since)
		return known.since;
	const knownFrom = statusAsOf(account, known) ?? askedAt;
	if (knownFrom >= contact.since || isOutdated(askedAt, knownFrom)) return known.since;
	return { at, isLowerBound: true };
}

function withStopReason(
	account: AccountState,
	known: ComputerState,
	next: ComputerState,
	at: number,
): ComputerState {
	const { stopReason: _, ranForMs: before, ...rest } = next;
	const ranFor = uptimeOf(known, at)?.milliseconds ?? before ?? 0;
	if (next.phase === 'stopping') return { ...rest, ranForMs: ranFor };
	if (next.phase !== 'stopped') return rest;
	return { ...rest, stopReason: stopReasonFor(account, known, next, ranFor) };
}

function stopReasonFor(
	account: AccountState,
	known: ComputerState,
	next: ComputerState,
	ranFor: number,
): StopReason {
	const { credits, subscription } = account;
	return stopReasonOf({
		phaseBefore: known.phase,
		status: next.reading.status ?? '',
		ranForMs: ranFor,
		isOperationUnderWay: hasOperationUnderWay(account, next.id, stopsComputer),
		plan: subscription?.plan,
		canRun: credits?.canRun !== false && (credits?.balance ?? 1) > 0,
	});
}

const clearedByStatus = readingFields.filter(field => readingRows[field].belongsTo);
const clearedByStage = readingFields.filter(field => readingRows[field].belongsTo === 'stage');

/**
 * Which parts of an answer are older than the values in the store. An outdated part only fills in missing
 * fields.
 */
type OutdatedParts = { isStatusOutdated: boolean; areOtherFieldsOutdated: boolean };

/** Merges an answer into the reading in the store. Returns the same object if the answer has nothing new. */
export function mergeReading(
	known: Reading,
	next: Reading,
	outdatedIn: () => OutdatedParts,
): Reading {
	let outdated: OutdatedParts | undefined;
	let merged: Record<string, unknown> | undefined;
	for (const key in next) {
		const field = key as ReadingField;
		const [before, now] = [known[field], next[field]];
		if (now === undefined || isUnchanged(field, before, now)) continue;
		outdated ??= outdatedIn();
		if (isOutdatedField(field, before, known, outdated)) continue;
		merged ??= { ...known };
		merged[field] = now;
	}
	return merged ? withoutCleared(known, next, merged as Reading) : known;
}

// Status fields of an outdated answer are ignored even where a field is missing, because they belong to an
// older status.
function isOutdatedField(
	field: ReadingField,
	before: unknown,
	known: Reading,
	outdated: OutdatedParts,
): boolean {
	if (readingRows[field].isInStatus) return outdated.isStatusOutdated && known.status !== undefined;
	return outdated.areOtherFieldsOutdated && before !== undefined;
}

function withoutCleared(known: Reading, next: Reading, merged: Reading): Reading {
	for (const field of fieldsToClear(known, merged)) {
		if (next[field] === undefined) delete merged[field];
	}
	// On a platform that does not report ports, the store only has the ports that this program published. They are
	// removed when the status changes, because the application behind a port has then ended.
	const isOursOnly = merged.ports?.some(({ isOurs }) => isOurs);
	if (isOursOnly && !isSameStatus(known.status, merged.status)) delete merged.ports;
	return merged;
}

function fieldsToClear(known: Reading, merged: Reading): readonly ReadingField[] {
	if (!isSameStatus(known.status, merged.status)) return clearedByStatus;
	return known.stage === merged.stage ? [] : clearedByStage;
}

function isUnchanged<F extends ReadingField>(field: F, a: Reading[F], b: Reading[F]): boolean {
	if (isSameValue(a, b)) return true;
	const areTimes = field === 'startedAt' && typeof a === 'number' && typeof b === 'number';
	return areTimes && Math.abs(a - b) <= startToleranceMs;
}
