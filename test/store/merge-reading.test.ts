import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	isSameStatus,
	isSameValue,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../../source/fleet/computers/computer.ts';
import { isSameStart } from '../../source/fleet/computers/uptime.ts';
import { mergeReading } from '../../source/store/merge-reading.ts';
import { reading } from '../arbitraries/readings.ts';
import { runs } from '../properties/runs.ts';

type Outdated = Parameters<typeof mergeReading>[2];

const notOutdated: Outdated = () => ({ isStatusOutdated: false, areOtherFieldsOutdated: false });

/** Merges field by field and without any shortcut. A start time that differs only a little does not count as news. */
function mergedFieldByField(earlier: Reading, next: Reading, outdated: ReturnType<Outdated>) {
	const merged: Record<string, unknown> = { ...earlier };
	const news = new Set<ReadingField>();
	for (const field of readingFields) {
		const [before, now] = [earlier[field], next[field]];
		if (now === undefined || isSameValue(before, now)) continue;
		const isKept =
			before !== undefined || field === 'startedAt' || !isSameStatus(earlier.status, next.status);
		const isOutdated = readingRows[field].isInStatus
			? outdated.isStatusOutdated && earlier.status !== undefined && isKept
			: outdated.areOtherFieldsOutdated && before !== undefined;
		if (!isOutdated) merged[field] = now;
		if (field !== 'startedAt' || !isSameStart(before, now)) news.add(field);
	}
	if (news.size === 0) return earlier;
	const isNewStatus = !isSameStatus(earlier.status, merged['status'] as string | undefined);
	const isNewStage = earlier.stage !== merged['stage'];
	for (const field of readingFields) {
		const { belongsTo } = readingRows[field];
		const isCleared = isNewStatus ? belongsTo : isNewStage && belongsTo === 'stage';
		if (isCleared && next[field] === undefined) delete merged[field];
	}
	const ports = merged['ports'] as Reading['ports'];
	if (isNewStatus && ports?.some(({ isOurs }) => isOurs)) delete merged['ports'];
	return merged;
}

/** A second reading of a computer: some fields of the first one, and some others. */
const twoReadings = fc
	.tuple(reading, reading, fc.subarray([...readingFields]))
	.map(([earlier, other, kept]): [Reading, Reading] => {
		const next: Record<string, unknown> = { ...other, id: earlier.id };
		for (const field of kept) next[field] = earlier[field];
		for (const field of readingFields) if (next[field] === undefined) delete next[field];
		return [earlier, next as Reading];
	});

test('an answer is merged field by field, also if some fields are outdated or unchanged', () => {
	fc.assert(
		fc.property(twoReadings, fc.boolean(), fc.boolean(), ([earlier, next], status, others) => {
			const outdated = { isStatusOutdated: status, areOtherFieldsOutdated: others };
			expect(mergeReading(earlier, next, () => outdated)).toEqual(
				mergedFieldByField(earlier, next, outdated),
			);
		}),
		runs(400),
	);
});

const atlas: Reading = { id: 'sb_1', name: 'atlas', status: 'active', cpu: 12, startedAt: 100_000 };

test('an answer that has every known field becomes the reading itself, so that nothing is copied', () => {
	const next: Reading = { ...atlas, cpu: 13, memory: 40 };
	expect(mergeReading(atlas, next, notOutdated)).toBe(next);
	expect(mergeReading(next, next, notOutdated)).toBe(next);
});

test('a known field that an answer leaves out stays', () => {
	const { startedAt: _, ...next } = { ...atlas, cpu: 13 };
	expect(mergeReading(atlas, next, notOutdated)).toEqual({ ...atlas, cpu: 13 });
});

test('a slightly different start time is not news by itself, but is stored with other news', () => {
	const next: Reading = { ...atlas, startedAt: 100_900 };
	expect(mergeReading(atlas, next, notOutdated)).toBe(atlas);
	const withNews: Reading = { ...next, cpu: 13 };
	expect(mergeReading(atlas, withNews, notOutdated)).toBe(withNews);
});

test('no field of an outdated answer replaces a known one', () => {
	const next: Reading = { ...atlas, cpu: 13, status: 'stopped' };
	const outdated = { isStatusOutdated: true, areOtherFieldsOutdated: true };
	expect(mergeReading(atlas, next, () => outdated)).toBe(atlas);
});

test('an outdated answer with the same status fills in the stage, but never the start time', () => {
	const { startedAt: _, ...earlier } = atlas;
	const next: Reading = { ...atlas, cpu: 13, stage: 'ready', stageMessage: 'Ready' };
	const outdated = { isStatusOutdated: true, areOtherFieldsOutdated: true };
	const filled = { ...earlier, stage: 'ready', stageMessage: 'Ready' };
	expect(mergeReading(earlier, next, () => outdated)).toEqual(filled);
	const stopped: Reading = { ...next, status: 'stopped' };
	expect(mergeReading(earlier, stopped, () => outdated)).toBe(earlier);
});
