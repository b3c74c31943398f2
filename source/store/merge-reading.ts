import { allPortsOf, isSameStatus, type PublishedPort, type Reading } from '../fleet/computer.ts';
import { startToleranceMs } from '../fleet/uptime.ts';

type Field = keyof Reading;

// The fields that status reads return. All other fields come only with lists and details.
const statusFields: ReadonlySet<string> = new Set<Field>([
	'status',
	'stage',
	'stageProgress',
	'stageMessage',
	'version',
	'error',
	'startedAt',
]);

// These fields belong to one status, so they are cleared when the status changes.
const clearedByStatus: readonly Exclude<Field, 'id'>[] = [
	'stage',
	'stageProgress',
	'stageMessage',
	'error',
	'startedAt',
	'cpu',
	'memory',
];

const clearedByStage: typeof clearedByStatus = ['stageProgress', 'stageMessage'];

/**
 * Which parts of an answer are older than the values in the store. An outdated part only fills in missing
 * fields.
 */
type Outdated = { status: boolean; otherFields: boolean };

/** Merges an answer into the reading in the store. Returns the same object if the answer has nothing new. */
export function mergeReading(known: Reading, next: Reading, outdatedIn: () => Outdated): Reading {
	let outdated: Outdated | undefined;
	let merged: Record<string, unknown> | undefined;
	for (const field in next) {
		const [before, now] = [known[field as Field], next[field as Field]];
		if (now === undefined || isSameValue(field, before, now)) continue;
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
	field: string,
	before: unknown,
	known: Reading,
	outdated: Outdated,
): boolean {
	if (statusFields.has(field)) return outdated.status && known.status !== undefined;
	return outdated.otherFields && before !== undefined;
}

function withoutCleared(known: Reading, next: Reading, merged: Reading): Reading {
	for (const field of fieldsToClear(known, merged)) {
		if (next[field] === undefined) delete merged[field];
	}
	// On a platform that does not report ports, the store only has the ports that this program published. They are
	// removed when the status changes, because the application behind a port has then ended.
	const isOursOnly = merged.ports && !allPortsOf(merged);
	if (isOursOnly && !isSameStatus(known.status, merged.status)) delete merged.ports;
	return merged;
}

function fieldsToClear(known: Reading, merged: Reading): typeof clearedByStatus {
	if (!isSameStatus(known.status, merged.status)) return clearedByStatus;
	return known.stage === merged.stage ? [] : clearedByStage;
}

function isSameValue(field: string, a: unknown, b: unknown): boolean {
	if (Object.is(a, b)) return true;
	if (field === 'startedAt') {
		return typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= startToleranceMs;
	}
	return Array.isArray(a) && Array.isArray(b) && arePortsSame(a, b);
}

function arePortsSame(a: readonly PublishedPort[], b: readonly PublishedPort[]): boolean {
	return (
		a.length === b.length &&
		a.every(({ port, url, shareToken, isOurs }, place) => {
			const other = b[place];
			const isSamePort = other?.port === port && other.isOurs === isOurs;
			return isSamePort && other.url === url && other.shareToken === shareToken;
		})
	);
}
