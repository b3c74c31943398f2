import {
	isSameStatus,
	isSameValue,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from './computer.ts';
import { isSameStart } from './uptime.ts';

/**
 * A field that the answer does not tell keeps its value, unless that belongs to an earlier status or stage. An outdated
 * answer only fills in what nobody has told, and nothing of another status.
 */
export function mergeReading(earlier: Reading, next: Reading, isAnswerOutdated: boolean): Reading {
	const news = (Object.keys(next) as ReadingField[]).filter(field => {
		const [before, value] = [earlier[field], next[field]];
		if (value === undefined || isSameValue(before, value)) return false;
		if (field === 'startedAt' && isSameStart(before, value)) return false;
		if (!isAnswerOutdated) return true;
		if (before !== undefined || field === 'startedAt') return false;
		return !(readingRows[field].isInStatus && isOfOtherStatus(earlier, next));
	});
	if (news.length === 0) return earlier;
	const told = Object.fromEntries(news.map(field => [field, next[field]]));
	const merged: Reading = { ...earlier, ...told };
	const hasOtherStatus = !isSameStatus(earlier.status, merged.status);
	const hasOtherStage = earlier.stage !== merged.stage;
	for (const field of readingFields) {
		const { belongsTo } = readingRows[field];
		const isOver =
			(belongsTo !== undefined && hasOtherStatus) || (belongsTo === 'stage' && hasOtherStage);
		if (isOver && next[field] === undefined) delete merged[field];
	}
	// The application behind a port that this program published has ended with the status.
	if (hasOtherStatus && merged.ports?.some(({ isOurs }) => isOurs)) delete merged.ports;
	return merged;
}

const isOfOtherStatus = (earlier: Reading, next: Reading) =>
	earlier.status !== undefined &&
	next.status !== undefined &&
	!isSameStatus(earlier.status, next.status);
