import {
	isSameStatus,
	isSameValue,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { startToleranceMs } from '../fleet/computers/uptime.ts';

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
