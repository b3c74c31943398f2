import { endedWhileItRanText } from '../fleet/abandoned-operations.ts';
import { allPortsOf, type Phase, type Reading } from '../fleet/computers/computer.ts';
import { startToleranceMs } from '../fleet/computers/uptime.ts';
import { compareVersions } from '../fleet/computers/version.ts';
import {
	isOfThisProcess,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { type OperationChanged, operationFact } from '../fleet/operations/operation-fact.ts';
import type { OperationGoal } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { isListComplete, statusAnswerOf } from '../store/freshness.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

// What the answers of the platform say about operations that were sent. Everything here is a pure function.

/** What is known of an operation now: what it becomes, or nothing new. */
type Outcome = Partial<Operation> | undefined;

// A request whose response was lost may still reach the platform, and a list may be slightly out of date. So the
// computer is read after the first delay, and again after the second one. The second read decides:
//
//   sent ──▶ no response ── 20 s ──▶ read ── 10 s ──▶ read ──▶ done, or probably not done
export const lookUpAfterMs = 20_000;
export const confirmAfterMs = 30_000;

/** An accepted operation counts as failed if the platform has not finished it after this time. */
const giveUpAfterMs = 30 * 60_000;

/** An outcome that nothing has shown for this long stays unknown. */
const lookedUpForMs = 60 * 60_000;

/**
 * Returns the steps of operations that the state reveals: of this process, and, if this process is the recorder, of
 * those whose process has ended.
 */
export function outcomesIn(
	account: AccountState,
	now: number,
	isRecorder = false,
): readonly OperationChanged[] {
	const steps: OperationChanged[] = [];
	for (const operation of account.operations.values()) {
		const outcome = isOfThisProcess(operation)
			? outcomeOf(account, operation, now)
			: operation.abandonedAt !== undefined && isRecorder
				? outcomeOfAbandoned(account, operation, operation.abandonedAt, now)
				: undefined;
		if (outcome) steps.push(operationFact({ ...operation, ...outcome }));
	}
	return steps;
}

/** Returns what an operation becomes by what is known of its computer; undefined if that reveals nothing new. */
export function outcomeOf(account: AccountState, operation: Operation, now: number): Outcome {
	const { stage, spec, acceptedAt = now, sentAt = now } = operation;
	if (stage !== 'accepted' && stage !== 'unknown') return undefined;
	const found =
		spec.computer === undefined
			? outcomeOfLostCreate(account, operation, now)
			: outcomeByComputer(account, operation, now);
	if (found) return found;
	if (stage === 'accepted') {
		const time = now - acceptedAt;
		if (time <= giveUpAfterMs) return undefined;
		const { doingLabel } = operationRowOf(spec.operation);
		const message = `still ${doingLabel.toLowerCase()} after ${durationText(time)}`;
		return failed(now, {
			...createFailure('server', message, { isOutcomeUnknown: true }),
			advice: 'The platform accepted the request but did not finish it. Check the computer itself.',
		});
	}
	if (now - sentAt <= lookedUpForMs) return undefined;
	return notDone(
		operation,
		now,
		`nothing has shown in ${durationText(lookedUpForMs)} whether it was done`,
		true,
	);
}

const failed = (now: number, failure: Failure) =>
	({ stage: 'failed', endedAt: now, failure }) as const;

const acceptedAfterAll = (now: number) =>
	({ stage: 'accepted', acceptedAt: now, endedAt: undefined, failure: undefined }) as const;

function outcomeByComputer(account: AccountState, operation: Operation, now: number): Outcome {
	const settlement = settlementInStore(account, operation);
	if (settlement.end === 'settled') return { stage: 'done', endedAt: now, failure: undefined };
	if (settlement.end === 'failed')
		return failed(now, createFailure('conflict', settlement.message));
	return operation.stage === 'unknown' ? outcomeOfUnknown(account, operation, now) : undefined;
}

function outcomeOfUnknown(account: AccountState, operation: Operation, now: number): Outcome {
	const { spec, sentAt = 0, endedAt = 0, readingBefore: before } = operation;
	const computer = account.computers.get(spec.computer ?? '');
	if (!computer) return undefined;
	const asOf = evidenceTimeOf(account, computer, operation);
	if (asOf < sentAt) return undefined;
	if (isAlreadyHappening(computer, spec)) return acceptedAfterAll(now);
	if (asOf < endedAt + confirmAfterMs) return undefined;
	if (!isOutcomeVisible(operation, computer.reading)) {
		const found = 'the platform does not report whether the operation was done';
		return notDone(operation, now, found, true);
	}
	const word = computer.reading.status ?? 'there';
	const still = before?.status === computer.reading.status ? 'still ' : '';
	const time = durationText(asOf - sentAt);
	const found = `${time} later the computer is ${still}${word}: probably not done`;
	return notDone(operation, now, found);
}

// Only details and some lists contain the ports. A status read never does.
function evidenceTimeOf(
	account: AccountState,
	computer: ComputerState,
	{ spec }: Operation,
): number {
	const never = Number.NEGATIVE_INFINITY;
	if (operationRowOf(spec.operation).evidence !== 'detail') {
		return statusAnswerOf(account, computer)?.askedAt ?? never;
	}
	const isListed = account.listFields.has('ports') && computer.listed !== 'absent';
	return Math.max(
		account.computerReads.get(computer.id)?.detail?.askedAt ?? never,
		(isListed ? account.reads.list?.answer?.askedAt : undefined) ?? never,
	);
}

function outcomeOfLostCreate(account: AccountState, operation: Operation, now: number): Outcome {
	const { spec, sentAt = 0, endedAt = 0, idsBeforeCreate: before } = operation;
	const asOf = account.reads.list?.answer?.askedAt ?? Number.NEGATIVE_INFINITY;
	if (asOf < sentAt) return undefined;
	const computer = computerOfLostCreate(account, operation);
	if (computer) return { ...acceptedAfterAll(now), spec: { ...spec, computer: computer.id } };
	if (asOf < endedAt + confirmAfterMs) return undefined;
	return before && isListComplete(account)
		? notDone(operation, now, 'the list shows no new computer: probably none was created')
		: notDone(operation, now, 'the platform does not report whether a computer was created', true);
}

function notDone(
	{ failure }: Operation,
	now: number,
	found: string,
	isOutcomeUnknown = false,
): Outcome {
	// A message of the platform is shown, because it helps a person. The technical cause of a lost connection is not.
	const answer = failure && failure.kind !== 'offline' ? failure.message : 'no answer';
	const message = `${answer}, and ${found}`;
	const advice = isOutcomeUnknown
		? 'Check the computer before you try again.'
		: 'Try again if you still want this.';
	const base = failure ?? createFailure('offline', message);
	return failed(now, { ...base, message, advice, isOutcomeUnknown });
}

/**
 * Returns the outcome of an operation whose process has ended. The response to its request was lost with the process:
 *
 * ```
 *   an own command               ──▶ unknown for good, because nothing more can be learnt
 *   a request of long ago        ──▶ unknown for good, because something else may have changed the computer since
 *   any other request            ──▶ unknown, and looked up like a request without a response
 * ```
 */
function outcomeOfAbandoned(
	account: AccountState,
	operation: Operation,
	abandonedAt: number,
	now: number,
): Outcome {
	const { spec, stage, sentAt = abandonedAt } = operation;
	if (stage === 'failed') return undefined;
	const isCommand = operationRowOf(spec.operation).goal.reaches === 'exit';
	if (!isCommand && stage !== 'sent') {
		// Before the first list, a computer that is not in the store may still exist.
		const hasList = (account.reads.list?.answer?.askedAt ?? Number.NEGATIVE_INFINITY) >= sentAt;
		return hasList ? outcomeOf(account, operation, now) : undefined;
	}
	const failure = createFailure('cancelled', endedWhileItRanText, { isOutcomeUnknown: true });
	if (isCommand)
		return failed(now, {
			...failure,
			advice: 'It may have done its work or a part of it. Check before you run it again.',
		});
	return abandonedAt - sentAt > lookedUpForMs
		? failed(now, { ...failure, advice: 'Check the computer before you try again.' })
		: { ...failed(now, failure), stage: 'unknown' };
}

// The clock of the platform may differ from the local clock by this much.
const maxClockSkewMs = 120_000;

/**
 * Finds the computer that a create made although its response was lost. That computer did not exist before,
 * belongs to no other create, and has no different name.
 */
export function computerOfLostCreate(
	{ computers, operations }: AccountState,
	{ spec, sentAt = 0, idsBeforeCreate: before }: Operation,
): ComputerState | undefined {
	const claimed = new Set([...operations.values()].map(each => each.spec.computer));
	const isNew = ({ id, phase, reading: { createdAt, name } }: ComputerState) => {
		if (claimed.has(id) || phase === 'archived') return false;
		if (spec.name && name && name !== spec.name) return false;
		const isOlder = typeof createdAt === 'number' && createdAt < sentAt - maxClockSkewMs;
		return before ? !before.has(id) && !isOlder : typeof createdAt === 'number' && !isOlder;
	};
	const found = [...computers.values()].filter(isNew);
	const called = found.find(({ reading }) => spec.name && reading.name === spec.name);
	return called ?? found.sort(compareCreationTimes)[0];
}

function compareCreationTimes(a: ComputerState, b: ComputerState): number {
	return (a.reading.createdAt ?? 0) - (b.reading.createdAt ?? 0);
}

type Settlement = { end: 'settling' } | { end: 'settled' } | { end: 'failed'; message: string };

/** The latest state of the computer that an operation is about. */
export type LatestReading = {
	reading: Reading;
	phase: Phase;
	/** The time at which the read that returned this status was sent. */
	askedAt: number;
	isMissing: boolean;
};

// A restart may begin and end between two reads. So a computer that is active this long after the acceptance
// counts as restarted.
const restartedAfterMs = 5_000;

const stillSettling: Settlement = { end: 'settling' };
const hasSettled: Settlement = { end: 'settled' };

/**
 * Returns whether an operation has settled, judged by the latest reading of its computer, which is undefined for a
 * removed computer. Phases in parentheses may pass unseen between two reads:
 *
 * ```
 *   stop      active ──▶ (stopping) ──▶ stopped        settled
 *   restart   active ──▶ (restarting) ──▶ active       settled: seen restarting, a new start, or 5 s later
 *   update    active ──▶ (updating) ──▶ active         settled: with the new version
 *   any       ─────────────────────────▶ error         failed, unless it was in error before
 * ```
 */
export function settlementOf(operation: Operation, latest: LatestReading | undefined): Settlement {
	const since = operation.acceptedAt ?? operation.sentAt;
	if (since === undefined || operation.stage === 'failed') return stillSettling;
	const { goal, subject } = operationRowOf(operation.spec.operation);
	const isGone = !latest || latest.isMissing;
	switch (goal.reaches) {
		case 'published':
		case 'unpublished':
			return settlementByPorts(operation, goal.reaches, latest, since);
		case 'accepted':
		case 'exit':
			return operation.stage === 'accepted' ? hasSettled : stillSettling;
		case 'gone':
			return isGone || latest.phase === 'archived' ? hasSettled : stillSettling;
		default:
			if (!isGone) return settlementByPhase(operation, goal, latest, since);
			return subject === 'account' ? stillSettling : failedSettlement('the computer is gone');
	}
}

type PhaseGoal = Extract<OperationGoal, { intermediatePhase: Phase }>;

function settlementByPhase(
	operation: Operation,
	goal: PhaseGoal,
	latest: LatestReading,
	since: number,
): Settlement {
	const { phase, reading, askedAt } = latest;
	if (askedAt < since) return stillSettling;
	if (phase === 'archived') return failedSettlement('the computer was removed');
	if (phase === 'error') {
		const isOld =
			operation.readingBefore?.status === reading.status && !hasRestarted(operation, latest, since);
		return isOld
			? stillSettling
			: failedSettlement(reading.error || 'the platform reports an error');
	}
	return hasReachedGoal(operation, goal, latest, since) ? hasSettled : stillSettling;
}

function hasReachedGoal(
	operation: Operation,
	goal: PhaseGoal,
	latest: LatestReading,
	since: number,
): boolean {
	switch (goal.reaches) {
		case 'phase':
			return latest.phase === goal.phase;
		case 'newStart':
			return latest.phase === 'active' && hasRestarted(operation, latest, since);
		case 'version':
			return latest.phase === 'active' && isUpdated(operation, latest, since);
	}
}

// A computer has restarted if it was seen in another phase, has a new start time, or is active long enough
// after the acceptance.
function hasRestarted(
	operation: Operation,
	{ reading, askedAt }: LatestReading,
	since: number,
): boolean {
	const [before, now] = [operation.readingBefore?.startedAt, reading.startedAt];
	const isAnew =
		typeof before === 'number' && typeof now === 'number' && now - before > startToleranceMs;
	const isLongAgo = operation.acceptedAt !== undefined && askedAt - since >= restartedAfterMs;
	return operation.hasPhaseChanged || isAnew || isLongAgo;
}

function isUpdated(operation: Operation, latest: LatestReading, since: number): boolean {
	const { version } = latest.reading;
	const { readingBefore: before, spec } = operation;
	if (version && spec.version !== undefined) return compareVersions(version, spec.version) >= 0;
	if (!version || !before) return hasRestarted(operation, latest, since);
	return version !== before.version;
}

// The response itself settles a publish or unpublish. If the response was lost, the published ports decide,
// where the platform reports them.
function settlementByPorts(
	operation: Operation,
	reaches: 'published' | 'unpublished',
	latest: LatestReading | undefined,
	since: number,
): Settlement {
	if (operation.stage === 'accepted') return hasSettled;
	const ports = latest && allPortsOf(latest.reading);
	if (!latest || latest.askedAt < since || !ports) return stillSettling;
	const isThere = ports.some(({ port }) => port === operation.spec.port);
	return isThere === (reaches === 'published') ? hasSettled : stillSettling;
}

function failedSettlement(message: string): Settlement {
	return { end: 'failed', message };
}

/**
 * Returns whether a computer has reached the goal of an operation, or is on the way to the goal. If so, a refusal
 * such as "already in progress" does not count as a failure, and a request without a response has arrived.
 */
export function isAlreadyHappening(
	{ phase, reading, isMissing }: Pick<LatestReading, 'phase' | 'reading' | 'isMissing'>,
	{ operation, version, port }: OperationSpec,
): boolean {
	const { goal, subject } = operationRowOf(operation);
	const ports = allPortsOf(reading);
	const isPublished = ports?.some(each => each.port === port);
	switch (goal.reaches) {
		case 'phase':
			return subject !== 'account' && (phase === goal.phase || phase === goal.intermediatePhase);
		case 'newStart':
			return phase === goal.intermediatePhase;
		case 'version':
			return (
				phase === goal.intermediatePhase ||
				Boolean(reading.version && version && compareVersions(reading.version, version) >= 0)
			);
		case 'published':
			return isPublished === true;
		case 'unpublished':
			return isPublished === false;
		case 'gone':
			return phase === 'archived' || isMissing;
		case 'accepted':
		case 'exit':
			return false;
	}
}

/** Returns whether the platform reports the fields that show whether an operation was done. */
function isOutcomeVisible({ spec, readingBefore: before }: Operation, reading: Reading): boolean {
	const { goal, subject } = operationRowOf(spec.operation);
	if (subject === 'port') return allPortsOf(reading) !== undefined;
	if (goal.reaches === 'accepted') return false;
	// A restart between two reads is visible only if the platform reports the start time.
	if (goal.reaches !== 'newStart') return true;
	return typeof before?.startedAt === 'number' && typeof reading.startedAt === 'number';
}

/** Returns whether an operation has settled, judged by the state of its computer in the store. */
export function settlementInStore(account: AccountState, operation: Operation): Settlement {
	const computer = account.computers.get(operation.spec.computer ?? '');
	if (!computer) return settlementOf(operation, undefined);
	const { reading, phase, isMissing } = computer;
	const askedAt = statusAnswerOf(account, computer)?.askedAt ?? Number.NEGATIVE_INFINITY;
	const settlement = settlementOf(operation, { reading, phase, askedAt, isMissing });
	// The list may tell only that the computer is in error. Its status is about to be read, and tells why.
	const isReasonAwaited =
		phase === 'error' &&
		reading.error === undefined &&
		!account.computerReads.get(computer.id)?.failing?.status;
	return settlement.end === 'failed' && isReasonAwaited ? stillSettling : settlement;
}
