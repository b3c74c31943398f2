import { allPortsOf, type Phase, type Reading } from '../fleet/computer.ts';
import type { Operation } from '../fleet/operation.ts';
import { startTolerance } from '../fleet/uptime.ts';
import { compareVersions } from '../fleet/version.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState } from '../store/state.ts';

export type Settlement =
	| { end: 'settling' }
	| { end: 'settled' }
	| { end: 'failed'; message: string };

/** What is known now of the computer that an operation is for. */
export type LatestReading = {
	reading: Reading;
	phase: Phase;
	/** When the answer that told its status was asked for. */
	askedAt: number;
	isMissing: boolean;
};

// A restart may be over between two looks. Active this long after it was taken on is active again.
const settledAfter = 5_000;

const settling: Settlement = { end: 'settling' };
const settled: Settlement = { end: 'settled' };

/** How an operation ended, from what its computer looks like since; `latest` is absent when it is gone. */
export function settlementOf(operation: Operation, latest: LatestReading | undefined): Settlement {
	const since = operation.acceptedAt ?? operation.sentAt;
	if (since === undefined || operation.stage === 'failed') return settling;
	switch (operation.spec.operation) {
		case 'publish':
		case 'unpublish':
			return publicationEnd(operation, latest, since);
		case 'delete':
			return !latest || latest.isMissing || latest.phase === 'archived' ? settled : settling;
		case 'create':
			return !latest || latest.isMissing ? settling : phaseEnd(operation, latest, since);
		default:
			return !latest || latest.isMissing
				? failed('the computer is gone')
				: phaseEnd(operation, latest, since);
	}
}

function phaseEnd(operation: Operation, latest: LatestReading, since: number): Settlement {
	const { phase, reading, askedAt: toldFrom } = latest;
	if (toldFrom < since) return settling;
	if (phase === 'archived') return failed('the computer was removed');
	if (phase === 'error') {
		const isOld =
			operation.before?.status === reading.status && !hasRestarted(operation, latest, since);
		return isOld ? settling : failed(reading.error || 'the platform reports an error');
	}
	return hasArrived(operation, latest, since) ? settled : settling;
}

function hasArrived(operation: Operation, latest: LatestReading, since: number): boolean {
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

// It was seen as something else, or started anew, or long enough has passed since it was taken on.
function hasRestarted(
	operation: Operation,
	{ reading, askedAt: toldFrom }: LatestReading,
	since: number,
): boolean {
	const [before, now] = [operation.before?.startedAt, reading.startedAt];
	const isAnew =
		typeof before === 'number' && typeof now === 'number' && now - before > startTolerance;
	const isLongAgo = operation.acceptedAt !== undefined && toldFrom - since >= settledAfter;
	return operation.hasMoved || isAnew || isLongAgo;
}

function isUpdated(operation: Operation, latest: LatestReading, since: number): boolean {
	const { version } = latest.reading;
	const { before, spec } = operation;
	if (!version) return hasRestarted(operation, latest, since);
	if (spec.version !== undefined) return compareVersions(version, spec.version) >= 0;
	return version !== before?.version;
}

// The answer itself is the end of it. Only when that was lost the ports are looked at, where told.
function publicationEnd(
	operation: Operation,
	latest: LatestReading | undefined,
	since: number,
): Settlement {
	if (operation.stage === 'accepted') return settled;
	const ports = latest && allPortsOf(latest.reading);
	if (!latest || latest.askedAt < since || !ports) return settling;
	const isThere = ports.some(({ port }) => port === operation.spec.port);
	return isThere === (operation.spec.operation === 'publish') ? settled : settling;
}

function failed(message: string): Settlement {
	return { end: 'failed', message };
}

/** How an operation ended, from what is known of its computer by now. */
export function settlementIn(account: AccountState, operation: Operation): Settlement {
	const computer = account.computers.get(operation.spec.computer ?? '');
	if (!computer) return settlementOf(operation, undefined);
	const { reading, phase, isMissing } = computer;
	const toldFrom = statusAnswerOf(account, computer)?.askedAt ?? Number.NEGATIVE_INFINITY;
	return settlementOf(operation, { reading, phase, askedAt: toldFrom, isMissing });
}
