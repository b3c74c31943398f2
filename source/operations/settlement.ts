import { allPortsOf, type Phase, type Reading } from '../fleet/computers/computer.ts';
import { startToleranceMs } from '../fleet/computers/uptime.ts';
import { compareVersions } from '../fleet/computers/version.ts';
import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationGoal } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState } from '../store/state.ts';

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
		case 'exit':
			return false;
	}
}

/** Returns whether the platform reports the fields that show whether an operation was done. */
export function isOutcomeVisible(
	{ spec, readingBefore: before }: Operation,
	reading: Reading,
): boolean {
	const { goal, subject } = operationRowOf(spec.operation);
	if (subject === 'port') return allPortsOf(reading) !== undefined;
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
