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

/**
 * Merges an answer into the reading in the store. Returns the earlier object if the answer has nothing new. Returns
 * the answer itself if it has all known fields, so that nothing is copied.
 */
export function mergeReading(
	earlier: Reading,
	next: Reading,
	outdatedIn: () => OutdatedParts,
): Reading {
	if (!hasNews(earlier, next)) return earlier;
	const outdated = outdatedIn();
	const isOutdatedInPart = outdated.isStatusOutdated || outdated.areOtherFieldsOutdated;
	if (!isOutdatedInPart && replacesAll(earlier, next)) return next;
	let merged: Record<string, unknown> | undefined;
	for (const key in next) {
		const field = key as ReadingField;
		const [before, now] = [earlier[field], next[field]];
		if (now === undefined || isUnchanged(field, before, now)) continue;
		if (isOutdatedInPart && isOutdatedField(field, before, earlier, outdated)) continue;
		merged ??= { ...earlier };
		merged[field] = now;
	}
	return merged ? withoutCleared(earlier, next, merged as Reading) : earlier;
}

// Readings that have not changed between two lists are the same objects, in a leader and in a follower.
function hasNews(earlier: Reading, next: Reading): boolean {
	if (next === earlier) return false;
	for (const key in next) {
		const field = key as ReadingField;
		const now = next[field];
		if (now === undefined || now === earlier[field]) continue;
		if (!isUnchanged(field, earlier[field], now)) return true;
	}
	return false;
}

/** Whether an answer has all fields of the reading in the store, so that nothing of the reading remains. */
function replacesAll(earlier: Reading, next: Reading): boolean {
	for (const key in earlier) if (next[key as ReadingField] === undefined) return false;
	// If the start time differs only a little from the known start time, it is the same start, and the known time
	// stays.
	const isSameStart = isUnchanged('startedAt', earlier.startedAt, next.startedAt);
	if (isSameStart && earlier.startedAt !== next.startedAt) return false;
	return !next.ports?.some(({ isOurs }) => isOurs);
}

// Status fields of an outdated answer are ignored even where a field is missing, because they belong to an
// older status.
function isOutdatedField(
	field: ReadingField,
	before: unknown,
	earlier: Reading,
	outdated: OutdatedParts,
): boolean {
	if (readingRows[field].isInStatus)
		return outdated.isStatusOutdated && earlier.status !== undefined;
	return outdated.areOtherFieldsOutdated && before !== undefined;
}

function withoutCleared(earlier: Reading, next: Reading, merged: Reading): Reading {
	for (const field of fieldsToClear(earlier, merged)) {
		if (next[field] === undefined) delete merged[field];
	}
	// On a platform that does not report ports, the store only has the ports that this program published. They are
	// removed when the status changes, because the application behind a port has then ended.
	const isOursOnly = merged.ports?.some(({ isOurs }) => isOurs);
	if (isOursOnly && !isSameStatus(earlier.status, merged.status)) delete merged.ports;
	return merged;
}

function fieldsToClear(earlier: Reading, merged: Reading): readonly ReadingField[] {
	if (!isSameStatus(earlier.status, merged.status)) return clearedByStatus;
	return earlier.stage === merged.stage ? [] : clearedByStage;
}

function isUnchanged<F extends ReadingField>(field: F, a: Reading[F], b: Reading[F]): boolean {
	if (isSameValue(a, b)) return true;
	const areTimes = field === 'startedAt' && typeof a === 'number' && typeof b === 'number';
	return areTimes && Math.abs(a - b) <= startToleranceMs;
}
