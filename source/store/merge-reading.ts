import {
	isSameStatus,
	isSameValue,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { isSameStart } from '../fleet/computers/uptime.ts';

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
	// Readings that have not changed between two lists are the same objects, in a leader and in a follower.
	if (next === earlier) return earlier;
	const news = newsOf(earlier, next);
	if (news === 'none') return earlier;
	const outdated = outdatedIn();
	const isOutdatedInPart = outdated.isStatusOutdated || outdated.areOtherFieldsOutdated;
	if (news === 'whole' && !isOutdatedInPart) return next;
	let merged: Record<string, unknown> | undefined;
	for (const key in next) {
		const field = key as ReadingField;
		const [before, now] = [earlier[field], next[field]];
		if (now === undefined || isSameValue(before, now)) continue;
		if (isOutdatedInPart && isOutdatedField(field, earlier, next, outdated)) continue;
		merged ??= { ...earlier };
		merged[field] = now;
	}
	return merged ? withoutCleared(earlier, next, merged as Reading) : earlier;
}

/**
 * Compares an answer with the reading in the store. The news is `whole` if the answer has all fields of the reading,
 * so that the answer can replace it. Each computer of a list is read only once.
 */
function newsOf(earlier: Reading, next: Reading): 'none' | 'some' | 'whole' {
	let hasNews = false;
	let knownFields = 0;
	const isWhole = !next.ports?.some(({ isOurs }) => isOurs);
	for (const key in next) {
		const field = key as ReadingField;
		const before = earlier[field];
		const now = next[field];
		if (now === undefined) continue;
		if (before !== undefined) knownFields += 1;
		if (now === before) continue;
		hasNews ||= !isUnchanged(field, before, now);
	}
	if (!hasNews) return 'none';
	for (const key in earlier) if (earlier[key as ReadingField] !== undefined) knownFields -= 1;
	return isWhole && knownFields === 0 ? 'whole' : 'some';
}

// Status fields of an outdated answer only fill in missing fields if the status is still the same. The start time does
// not even do that, because the computer may have been restarted since.
function isOutdatedField(
	field: ReadingField,
	earlier: Reading,
	next: Reading,
	outdated: OutdatedParts,
): boolean {
	const isMissing = earlier[field] === undefined;
	if (!readingRows[field].isInStatus) return outdated.areOtherFieldsOutdated && !isMissing;
	if (!outdated.isStatusOutdated || earlier.status === undefined) return false;
	return !isMissing || field === 'startedAt' || !isSameStatus(earlier.status, next.status);
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

// A start time that differs only a little does not count as news.
function isUnchanged<F extends ReadingField>(field: F, a: Reading[F], b: Reading[F]): boolean {
	if (isSameValue(a, b)) return true;
	return field === 'startedAt' && isSameStart(a, b);
}
