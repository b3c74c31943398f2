import type { StatusChange } from '../fleet/change.ts';
import { isSameStatus, phaseOf, type Reading } from '../fleet/computers/computer.ts';
import { type StopReason, stopReasonOf } from '../fleet/computers/stop-reason.ts';
import {
	type PhaseStart,
	phaseStartOf,
	startToleranceMs,
	uptimeOf,
} from '../fleet/computers/uptime.ts';
import { stopsComputer } from '../fleet/operations/operation-table.ts';
import {
	type AnswerOrigin,
	isOutdated,
	otherFieldsKnownAsOf,
	statusKnownAsOf,
} from './answer-times.ts';
import { mergeReading } from './merge-reading.ts';
import { hasOperationUnderWay } from './our-operations.ts';
import { firstStageStarts, withStageStarts } from './stage-starts.ts';
import type { AccountState, ComputerState } from './state.ts';
import { lastBusyAt } from './usage-history.ts';

// A status changes at an unknown moment between two answers. If they are further apart than this, the time of the
// change is only a lower bound.
const maxGapMs = 120_000;

/** Returns a computer after an answer about it. The object stays the same if the answer has no news. */
export function updateComputer(
	account: AccountState,
	earlier: ComputerState | undefined,
	reading: Reading,
	answer: AnswerOrigin,
): ComputerState {
	const listed = listedStateAfter(earlier, reading, answer);
	if (!earlier) return newComputer(account, reading, listed, answer);
	const { askedAt } = answer;
	const merged = mergeReading(earlier.reading, reading, () =>
		isKnownFromListsOnly(account, earlier, answer)
			? notOutdated
			: {
					isStatusOutdated: isOutdated(askedAt, statusKnownAsOf(account, earlier)),
					areOtherFieldsOutdated: isOutdated(askedAt, otherFieldsKnownAsOf(account, earlier)),
				},
	);
	const isMissing = earlier.isMissing && answer.read === 'list';
	const isSame = merged === earlier.reading || isSameStatus(earlier.reading.status, merged.status);
	const since = isSame
		? sinceOfUnchangedPhase(account, earlier, answer)
		: sinceOfChangedPhase(account, earlier, answer);
	if (
		merged === earlier.reading &&
		since === earlier.since &&
		listed === earlier.listed &&
		isMissing === earlier.isMissing
	) {
		return earlier;
	}
	// Most news is a CPU or memory value, which changes neither the phase nor the stage.
	if (merged.status === earlier.reading.status && merged.stage === earlier.reading.stage)
		return { ...earlier, reading: merged, since, listed, isMissing };
	const next: ComputerState = {
		...earlier,
		reading: merged,
		phase: phaseOf(merged.status),
		since,
		listed,
		isMissing,
	};
	const isExact = answer.at - (statusKnownAsOf(account, earlier) ?? answer.at) <= maxGapMs;
	const staged = withStageStarts(earlier, next, answer.at, isExact);
	if (isSame) return staged;
	delete staged.statusReadFor;
	return withStopReason(account, earlier, staged, answer.at);
}

const notOutdated = { isStatusOutdated: false, areOtherFieldsOutdated: false };

// An outdated list is not folded at all, so nothing newer is known about these computers.
function isKnownFromListsOnly(
	{ computerReads }: AccountState,
	{ id, answersValidFrom }: ComputerState,
	{ read }: AnswerOrigin,
): boolean {
	return read === 'list' && answersValidFrom === undefined && !computerReads.has(id);
}

/**
 * Returns the change for the log; undefined if the status is unchanged, or reported for the first time. A status that the
 * platform has not sent counts as unknown, because null says that there is no such computer.
 */
export function statusChangeOf(
	account: AccountState,
	earlier: ComputerState | undefined,
	next: ComputerState | undefined,
	answer: AnswerOrigin,
): StatusChange | undefined {
	const [from, to] = [earlier?.reading.status, next?.reading.status];
	const computer = next ?? earlier;
	if (!computer || (earlier && next && (from === undefined || isSameStatus(from, to))))
		return undefined;
	const notBefore = (earlier && statusKnownAsOf(account, earlier)) ?? account.contact?.fleetAt;
	if (notBefore === undefined) return undefined;
	const { name } = computer.reading;
	return {
		type: 'statusChanged',
		at: answer.at,
		notBefore: Math.min(notBefore, answer.at),
		id: computer.id,
		...(name && { name }),
		from: earlier ? (from ?? 'unknown') : null,
		to: next ? (to ?? 'unknown') : null,
		...lastedOf(earlier, next, notBefore, answer.at),
		...(next?.stopReason && { reason: next.stopReason }),
		...(next?.phase === 'error' && next.reading.error && { error: next.reading.error }),
		...(!next &&
			hasOperationUnderWay(account, computer.id, ({ goal }) => goal.reaches === 'gone') && {
				reason: 'asked' as const,
			}),
	};
}

/** A duration is known if its end is known to a tenth of it, or to these milliseconds. */
const exactEnoughMs = 10_000;

/**
 * Returns how long the earlier status lasted; nothing if its beginning or its end is known too badly. What the platform
 * tells counts, not when somebody looked.
 */
function lastedOf(
	earlier: ComputerState | undefined,
	next: ComputerState | undefined,
	notBefore: number,
	at: number,
): Pick<StatusChange, 'lasted'> {
	if (!earlier) return {};
	const start = phaseStartOf(earlier);
	if (start.isLowerBound) return {};
	const told = next?.phase === 'active' ? next.reading.startedAt : undefined;
	const isTold =
		typeof told === 'number' &&
		told >= Math.max(start.at, notBefore - startToleranceMs) &&
		told <= at + startToleranceMs;
	const lasted = Math.max(0, (isTold ? told : at) - start.at);
	const uncertainty = isTold ? 0 : at - notBefore;
	return uncertainty <= Math.max(exactEnoughMs, lasted / 10) ? { lasted } : {};
}

function newComputer(
	{ contact }: AccountState,
	reading: Reading,
	listed: ComputerState['listed'],
	answer: AnswerOrigin,
): ComputerState {
	const phase = phaseOf(reading.status);
	const isWatched = answer.at - (contact?.fleetAt ?? Number.NEGATIVE_INFINITY) <= exactEnoughMs;
	const since: PhaseStart = { at: answer.at, isLowerBound: phase !== 'creating' || !isWatched };
	const stages = firstStageStarts(reading, since);
	return { id: reading.id, reading, phase, since, ...stages, listed, isMissing: false };
}

function listedStateAfter(
	earlier: ComputerState | undefined,
	{ status }: Reading,
	{ read }: AnswerOrigin,
): ComputerState['listed'] {
	if (read !== 'list') return earlier?.listed ?? 'absent';
	return status === undefined ? 'named' : 'with-status';
}

function sinceOfChangedPhase(
	account: AccountState,
	earlier: ComputerState,
	{ at }: AnswerOrigin,
): PhaseStart {
	const knownFrom = statusKnownAsOf(account, earlier);
	return { at, isLowerBound: knownFrom === undefined || at - knownFrom > maxGapMs };
}

/** Whether there was no long silence since the last list. */
const haveListsComeSinceContact = ({ contact, reads }: AccountState): boolean =>
	contact !== undefined && (reads.list?.answer?.askedAt ?? 0) >= contact.since;

// A computer that was active before and after a long silence may have slept in between, so its uptime is counted from
// the end of the silence.
function sinceOfUnchangedPhase(
	account: AccountState,
	earlier: ComputerState,
	{ at, askedAt }: AnswerOrigin,
): PhaseStart {
	const { contact } = account;
	if (earlier.phase !== 'active' || !contact) return earlier.since;
	if (earlier.listed === 'with-status' && haveListsComeSinceContact(account)) return earlier.since;
	const knownFrom = statusKnownAsOf(account, earlier) ?? askedAt;
	if (knownFrom >= contact.since || isOutdated(askedAt, knownFrom)) return earlier.since;
	return { at, isLowerBound: true };
}

function withStopReason(
	account: AccountState,
	earlier: ComputerState,
	next: ComputerState,
	at: number,
): ComputerState {
	const { stopReason: _, idleForMs: before, ...rest } = next;
	const idleForMs = idleTimeOf(account, earlier, at) ?? before;
	if (next.phase === 'stopping') return { ...rest, ...(idleForMs !== undefined && { idleForMs }) };
	if (next.phase !== 'stopped') return rest;
	return { ...rest, stopReason: stopReasonFor(account, earlier, next, idleForMs) };
}

/**
 * Returns how long a computer had been idle before it stopped: since its start, or since it was last busy. Returns
 * undefined if neither is known, or if the time of the stop is too uncertain.
 */
function idleTimeOf(account: AccountState, earlier: ComputerState, at: number): number | undefined {
	const knownFrom = statusKnownAsOf(account, earlier);
	if (earlier.phase !== 'active' || knownFrom === undefined || at - knownFrom > maxGapMs)
		return undefined;
	const uptime = uptimeOf(earlier, at);
	const busyAt = lastBusyAt(account.usage, earlier.id, at);
	const times = [
		...(uptime && !uptime.isLowerBound ? [uptime.milliseconds] : []),
		...(busyAt === undefined ? [] : [Math.max(0, at - busyAt)]),
	];
	return times.length === 0 ? undefined : Math.min(...times);
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
