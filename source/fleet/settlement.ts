import { allPortsOf, type Phase, type Reading } from './computer.ts';
import type { Operation } from './operation.ts';
import { compareVersions } from './version.ts';

export type Settlement =
	| { end: 'settling' }
	| { end: 'settled' }
	| { end: 'failed'; message: string };

/** What is known now of the computer that an operation is for. */
export type Latest = {
	reading: Reading;
	phase: Phase;
	/** When the answer that told its status was asked for. */
	toldFrom: number;
	isMissing: boolean;
};

/** A start is told in whole seconds of uptime, by answers that take their time: it trembles by as much. */
export const startTremor = 5_000;

// A restart may be over between two looks. Active this long after it was taken on is active again.
const patience = 5_000;

const settling: Settlement = { end: 'settling' };
const settled: Settlement = { end: 'settled' };

/** How an operation ended, from what its computer looks like since; `latest` is absent when it is gone. */
export function settlementOf(operation: Operation, latest: Latest | undefined): Settlement {
	const since = operation.acceptedAt ?? operation.sentAt;
	if (since === undefined || operation.stage === 'failed') return settling;
	switch (operation.wish.operation) {
		case 'publish':
		case 'unpublish':
			return publicationEnd(operation, latest, since);
		case 'delete':
			return !latest || latest.isMissing || latest.phase === 'archived' ? settled : settling;
		case 'create':
			return !latest || latest.isMissing ? settling : phaseEnd(operation, latest, since);
		default:
			return !latest || latest.isMissing
				? failed('it is no longer there')
				: phaseEnd(operation, latest, since);
	}
}

function phaseEnd(operation: Operation, latest: Latest, since: number): Settlement {
	const { phase, reading, toldFrom } = latest;
	if (toldFrom < since) return settling;
	if (phase === 'archived') return failed('it was removed');
	if (phase === 'error') {
		const isOld =
			operation.before?.status === reading.status && !hasWorked(operation, latest, since);
		return isOld ? settling : failed(reading.error || 'the platform reports an error');
	}
	return hasArrived(operation, latest, since) ? settled : settling;
}

function hasArrived(operation: Operation, latest: Latest, since: number): boolean {
	switch (operation.wish.operation) {
		case 'stop':
			return latest.phase === 'stopped';
		case 'restart':
			return latest.phase === 'active' && hasWorked(operation, latest, since);
		case 'update':
			return latest.phase === 'active' && isUpdated(operation, latest, since);
		default:
			return latest.phase === 'active';
	}
}

// It was seen as something else, or started anew, or long enough has passed since it was taken on.
function hasWorked(operation: Operation, { reading, toldFrom }: Latest, since: number): boolean {
	const [before, now] = [operation.before?.startedAt, reading.startedAt];
	const isAnew =
		typeof before === 'number' && typeof now === 'number' && now - before > startTremor;
	const isLongAgo = operation.acceptedAt !== undefined && toldFrom - since >= patience;
	return operation.hasMoved || isAnew || isLongAgo;
}

function isUpdated(operation: Operation, latest: Latest, since: number): boolean {
	const { version } = latest.reading;
	const { before, wish } = operation;
	if (!version) return hasWorked(operation, latest, since);
	if (wish.version !== undefined) return compareVersions(version, wish.version) >= 0;
	return version !== before?.version;
}

// The answer itself is the end of it. Only when that was lost the ports are looked at, where told.
function publicationEnd(
	operation: Operation,
	latest: Latest | undefined,
	since: number,
): Settlement {
	if (operation.stage === 'accepted') return settled;
	const ports = latest && allPortsOf(latest.reading);
	if (!latest || latest.toldFrom < since || !ports) return settling;
	const isThere = ports.some(({ port }) => port === operation.wish.port);
	return isThere === (operation.wish.operation === 'publish') ? settled : settling;
}

function failed(message: string): Settlement {
	return { end: 'failed', message };
}
