import { allPortsOf, isSameStatus, type PublishedPort, type Reading } from '../fleet/computer.ts';
import { startTolerance } from '../fleet/uptime.ts';

type Field = keyof Reading;

// What every answer about the status tells together. The rest stands in lists and details.
const statusFields: ReadonlySet<string> = new Set<Field>([
	'status',
	'stage',
	'stageProgress',
	'stageMessage',
	'version',
	'error',
	'startedAt',
]);

// What was told of one status says nothing about the next.
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

/** Which parts of an answer were told by a later one already. They only fill gaps. */
export type Outdated = { status: boolean; record: boolean };

/** What is known when an answer is added to it: the same object when it told nothing new. */
export function mergeReading(known: Reading, told: Reading, outdatedIn: () => Outdated): Reading {
	let outdated: Outdated | undefined;
	let merged: Record<string, unknown> | undefined;
	for (const field in told) {
		const [before, now] = [known[field as Field], told[field as Field]];
		if (now === undefined || isSame(field, before, now)) continue;
		outdated ??= outdatedIn();
		if (isOutdatedField(field, before, known, outdated)) continue;
		merged ??= { ...known };
		merged[field] = now;
	}
	return merged ? withoutCleared(known, told, merged as Reading) : known;
}

// Parts of a status are not mixed with another status.
function isOutdatedField(
	field: string,
	before: unknown,
	known: Reading,
	outdated: Outdated,
): boolean {
	if (statusFields.has(field)) return outdated.status && known.status !== undefined;
	return outdated.record && before !== undefined;
}

function withoutCleared(known: Reading, told: Reading, merged: Reading): Reading {
	for (const field of clearedFields(known, merged)) {
		if (told[field] === undefined) delete merged[field];
	}
	// Nobody tells when such a publication ends: with the status the application behind it goes, too.
	const areOurs = merged.ports && !allPortsOf(merged);
	if (areOurs && !isSameStatus(known.status, merged.status)) delete merged.ports;
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
