import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import {
	lastBusyAt,
	quietSince,
	slotCount,
	slotMs,
	type UsageHistory,
	usageAfter,
	usageCells,
	usageWithRecalled,
} from '../../source/store/usage-history.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';

const start = 1_000 * slotCount * slotMs;
const at = (slot: number) => start + slot * slotMs;

const nothingRead: UsageHistory = new Map();
const ids = new Set(['sb_1', 'sb_2']);

function watched(...lists: readonly (readonly [slot: number, readings: readonly Reading[]])[]) {
	return lists.reduce(
		(history, [slot, readings]) => usageAfter(history, readings, at(slot)),
		nothingRead,
	);
}

const cpuOf = (history: UsageHistory, id: string, slot: number, cellCount = slotCount) =>
	usageCells(history, id, 'cpu', at(slot), cellCount).map(
		percent => percent && Math.round(percent),
	);

test('each slot keeps the last value that was read in it, and a gap where nothing was read', () => {
	const history = watched(
		[0, [{ id: 'sb_1', cpu: 10, memory: 50 }]],
		[0, [{ id: 'sb_1', cpu: 100, memory: 50 }]],
		[2, [{ id: 'sb_1', cpu: 0 }]],
	);
	expect(cpuOf(history, 'sb_1', 2).slice(-4)).toEqual([undefined, 100, undefined, 0]);
	expect(usageCells(history, 'sb_1', 'memory', at(2), slotCount).slice(-3)[0]).toBe(50);
	expect(cpuOf(history, 'sb_2', 2)).toEqual(Array(slotCount).fill(undefined));
});

test('a cell of several slots shows the average of the slots that were read', () => {
	const slots = [0, 1, 2, 4].map(
		slot => [slot, [{ id: 'sb_1', cpu: slot === 4 ? 0 : 80 }]] as const,
	);
	expect(cpuOf(watched(...slots), 'sb_1', 4, 8).at(-1)).toBe(60);
	expect(cpuOf(watched(...slots), 'sb_1', 5, 8).at(-1), 'the next list may still come').toBe(60);
	expect(cpuOf(watched(...slots), 'sb_1', 6, 8).slice(-2), 'a list is missing').toEqual([
		60,
		undefined,
	]);
});

test('values older than 30 minutes are dropped, and so are values from a clock that was ahead', () => {
	const history = watched(
		[0, [{ id: 'sb_1', cpu: 10 }]],
		[500, [{ id: 'sb_1', cpu: 20 }]],
		[3, [{ id: 'sb_1', cpu: 30 }]],
		[slotCount, [{ id: 'sb_1', cpu: 40 }]],
	);
	const cells = cpuOf(history, 'sb_1', slotCount);
	expect(cells.filter(cell => cell !== undefined)).toEqual([30, 40]);
});

test('the store keeps the usage of the computers that the list names', () => {
	const list = (time: number, ids: readonly string[]) =>
		listRead(
			time,
			ids.map(id => ({ id, status: 'active', cpu: 50, memory: 20 })),
		);
	const left = accountAfter(list(1, ['sb_1', 'sb_2']), list(400_000, ['sb_2']));
	expect([...left.usage.keys()]).toEqual(['sb_2']);
});

test('the last time at which a computer was busy outlives the slots, and is not told if its CPU was not read lately', () => {
	const idle = Array.from(
		{ length: 2 * slotCount },
		(_, slot) => [slot + 1, [{ id: 'sb_1', cpu: 1 }]] as const,
	);
	const history = watched([0, [{ id: 'sb_1', cpu: 60 }]], ...idle);
	expect(lastBusyAt(history, 'sb_1', at(2 * slotCount))).toBe(at(0));
	expect(lastBusyAt(history, 'sb_2', at(2 * slotCount))).toBeUndefined();
	expect(lastBusyAt(history, 'sb_1', at(2 * slotCount + 8))).toBeUndefined();
	expect(lastBusyAt(watched(...idle), 'sb_1', at(2 * slotCount))).toBeUndefined();
});

test('a computer is quiet since the first low reading after it was busy, or after a time without readings', () => {
	const low = (...slots: readonly number[]) =>
		slots.map(slot => [slot, [{ id: 'sb_1', cpu: 1 }]] as const);
	const quietAt = (slot: number, history: UsageHistory) => quietSince(history, 'sb_1', at(slot));
	const busy = [3, [{ id: 'sb_1', cpu: 60 }]] as const;
	expect(quietAt(9, watched(...low(0, 3, 6, 9)))).toBe(at(1));
	expect(quietAt(9, watched(...low(0), busy, ...low(6, 9)))).toBe(at(7));
	expect(quietAt(3, watched(...low(0), busy))).toBeUndefined();
	expect(quietAt(12, watched(...low(0, 3, 12)))).toBe(at(13));
	expect(quietAt(11, watched(...low(0, 3)))).toBeUndefined();
	const recalled = usageWithRecalled(
		watched(...low(12)),
		[...watched(...low(0, 2, 9)).values()],
		ids,
	);
	expect(quietAt(12, recalled)).toBe(at(10));
});

test('the usage of an earlier run fills only the gaps in what this run has read, for computers that still exist', () => {
	const slots = Array.from({ length: 20 }, (_, slot) => slot);
	const earlier = watched(
		...slots.map(slot => [slot, [...ids].map(id => ({ id, cpu: slot * 4 }))] as const),
	);
	const now = watched([19, [{ id: 'sb_1', cpu: 100 }]]);
	const merged = usageWithRecalled(now, [...earlier.values()], ids);
	expect(cpuOf(merged, 'sb_1', 19).slice(-2)).toEqual([72, 100]);
	expect(cpuOf(merged, 'sb_2', 19)).toEqual(cpuOf(earlier, 'sb_2', 19));
	const later = watched([100, [{ id: 'sb_1', cpu: 5 }]]);
	const both = usageWithRecalled(later, [...earlier.values()], new Set(['sb_1']));
	expect(cpuOf(both, 'sb_1', 100)).toEqual(cpuOf(later, 'sb_1', 100));
	expect([...both.keys()]).toEqual(['sb_1']);
});
