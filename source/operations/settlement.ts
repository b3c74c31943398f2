import { allPortsOf, type Phase, type Reading } from '../fleet/computer.ts';
import type { Operation } from '../fleet/operation.ts';
import { startToleranceMs } from '../fleet/uptime.ts';
import { compareVersions } from '../fleet/version.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState } from '../store/state.ts';

export type Settlement =
	| { end: 'settling' }
	| { end: 'settled' }
	| { end: 'failed'; message: string };

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
	switch (operation.spec.operation) {
		case 'publish':
		case 'unpublish':
			return settlementByPorts(operation, latest, since);
		case 'delete':
			return !latest || latest.isMissing || latest.phase === 'archived'
				? hasSettled
				: stillSettling;
		case 'create':
			return !latest || latest.isMissing
				? stillSettling
				: settlementByPhase(operation, latest, since);
		default:
			return !latest || latest.isMissing
				? failedSettlement('the computer is gone')
				: settlementByPhase(operation, latest, since);
	}
}

function settlementByPhase(operation: Operation, latest: LatestReading, since: number): Settlement {
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
	return hasReachedGoal(operation, latest, since) ? hasSettled : stillSettling;
}

function hasReachedGoal(operation: Operation, latest: LatestReading, since: number): boolean {
	switch (operation.spec.operation) {
		case 'stop':
			return latest.phase === 'stopped';
		case 'restart':
			return latest.phase === 'active' && hasRestarted(operation, latest, since);
		case 'update':
			return latest.phase === 'active' && isUpdated(operation, latest, since);
		default:
			return latest.phase === 'active';
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
	if (!version) return hasRestarted(operation, latest, since);
	if (spec.version !== undefined) return compareVersions(version, spec.version) >= 0;
	return version !== before?.version;
}

// The response itself settles a publish or unpublish. If the response was lost, the published ports decide,
// where the platform reports them.
function settlementByPorts(
	operation: Operation,
	latest: LatestReading | undefined,
	since: number,
): Settlement {
	if (operation.stage === 'accepted') return hasSettled;
	const ports = latest && allPortsOf(latest.reading);
	if (!latest || latest.askedAt < since || !ports) return stillSettling;
	const isThere = ports.some(({ port }) => port === operation.spec.port);
	return isThere === (operation.spec.operation === 'publish') ? hasSettled : stillSettling;
}

function failedSettlement(message: string): Settlement {
	return { end: 'failed', message };
}

/** Returns whether an operation has settled, judged by the state of its computer in the store. */
export function settlementInStore(account: AccountState, operation: Operation): Settlement {
	const computer = account.computers.get(operation.spec.computer ?? '');
	if (!computer) return settlementOf(operation, undefined);
	const { reading, phase, isMissing } = computer;
	const askedAt = statusAnswerOf(account, computer)?.askedAt ?? Number.NEGATIVE_INFINITY;
	return settlementOf(operation, { reading, phase, askedAt, isMissing });
}
