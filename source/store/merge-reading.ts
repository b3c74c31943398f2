import { allPortsOf, isSameStatus, type PublishedPort, type Reading } from '../fleet/computer.ts';
import { startTolerance } from '../fleet/uptime.ts';

type Field = keyof Reading;

// Fields that come together with the status. All others are in lists and details.
const statusFields: ReadonlySet<string> = new Set<Field>([
	'status',
	'stage',
	'stageProgress',
	'stageMessage',
	'version',
	'error',
	'startedAt',
]);

// Fields that end with the status that they belong to.
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

/** Which parts of an answer are older than what is known. Outdated parts only fill gaps. */
export type Outdated = { status: boolean; record: boolean };

/** Merges an answer into the known reading. Returns the same object when nothing is new. */
export function mergeReading(known: Reading, next: Reading, outdatedIn: () => Outdated): Reading {
	let outdated: Outdated | undefined;
	let merged: Record<string, unknown> | undefined;
	for (const field in next) {
		const [before, now] = [known[field as Field], next[field as Field]];
		if (now === undefined || isSame(field, before, now)) continue;
		outdated ??= outdatedIn();
		if (isOutdatedField(field, before, known, outdated)) continue;
		merged ??= { ...known };
		merged[field] = now;
	}
	return merged ? withoutCleared(known, next, merged as Reading) : known;
}

// Fields of an old status must not mix with a newer one.
function isOutdatedField(
	field: string,
	before: unknown,
	known: Reading,
	outdated: Outdated,
): boolean {
	if (statusFields.has(field)) return outdated.status && known.status !== undefined;
	return outdated.record && before !== undefined;
}

function withoutCleared(known: Reading, next: Reading, merged: Reading): Reading {
	for (const field of clearedFields(known, merged)) {
		if (next[field] === undefined) delete merged[field];
	}
	// The platform does not report when our publication ends. A new status ends the application behind it.
	const isOursOnly = merged.ports && !allPortsOf(merged);
	if (isOursOnly && !isSameStatus(known.status, merged.status)) delete merged.ports;
	return merged;
}

function clearedFields(known: Reading, merged: Reading): typeof clearedByStatus {
	if (!isSameStatus(known.status, merged.status)) return clearedByStatus;
	return known.stage === merged.stage ? [] : clearedByStage;
}

function isSame(field: string, a: unknown, b: unknown): boolean {
	if (Object.is(a, b)) return true;
	if (field === 'startedAt') {
		return typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= startTolerance;
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
