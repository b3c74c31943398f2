import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import {
	emptyUsage,
	lastBusyAt,
	slotCount,
	slotMs,
	type UsageHistory,
	usageAfter,
	usageCells,
	usageWithout,
} from '../../source/store/usage-history.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';

const start = 1_000 * slotCount * slotMs;
const at = (slot: number) => start + slot * slotMs;

function after(...lists: readonly (readonly [slot: number, readings: readonly Reading[]])[]) {
	return lists.reduce(
		(history, [slot, readings]) => usageAfter(history, readings, at(slot), () => true),
		emptyUsage,
	);
}

const cpuOf = (history: UsageHistory, id: string, slot: number, cellCount = slotCount) =>
	usageCells(history, id, 'cpu', at(slot), cellCount).map(
		percent => percent && Math.round(percent),
	);

test('each slot keeps the last value that was read in it, and a gap where nothing was read', () => {
	const history = after(
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
	expect(cpuOf(after(...slots), 'sb_1', 4, 8).at(-1)).toBe(60);
	expect(cpuOf(after(...slots), 'sb_1', 5, 8).at(-1), 'the next list may still come').toBe(60);
	expect(cpuOf(after(...slots), 'sb_1', 6, 8).slice(-2), 'a list is missing').toEqual([
		60,
		undefined,
	]);
});

test('a stopped computer, and one without usage, leave the slot empty and change nothing', () => {
	const history = after([0, [{ id: 'sb_1', cpu: 10 }]]);
	expect(usageAfter(history, [{ id: 'sb_1', cpu: null }], at(0), () => true)).toBe(history);
	expect(usageAfter(history, [{ id: 'sb_1', cpu: 10 }], at(0), () => true)).toBe(history);
	expect(usageAfter(emptyUsage, [{ id: 'sb_1' }], at(0), () => true)).toBe(emptyUsage);
});

test('an answer does not change the slots of an earlier state', () => {
	const before = after([0, [{ id: 'sb_1', cpu: 10 }]]);
	const copy = structuredClone(before);
	usageAfter(
		before,
		[
			{ id: 'sb_1', cpu: 90 },
			{ id: 'sb_2', cpu: 5 },
		],
		at(0),
		() => true,
	);
	expect(before).toEqual(copy);
});

test('values older than 30 minutes are dropped, and so are values from a clock that was ahead', () => {
	const history = after(
		[0, [{ id: 'sb_1', cpu: 10 }]],
		[500, [{ id: 'sb_1', cpu: 20 }]],
		[3, [{ id: 'sb_1', cpu: 30 }]],
		[slotCount, [{ id: 'sb_1', cpu: 40 }]],
	);
	expect(history.slots.map(({ index }) => index - start / slotMs)).toEqual([3, slotCount]);
});

test('the values of a removed computer are dropped, and the other computers keep their values', () => {
	const readings = ['sb_1', 'sb_2', 'sb_3'].map((id, place) => ({ id, cpu: 20 * place }));
	const history = usageWithout(after([0, readings], [1, readings]), new Set(['sb_2']));
	expect([...history.places.keys()]).toEqual(['sb_1', 'sb_3']);
	expect(history.slots.map(({ cpu }) => cpu.length)).toEqual([2, 2]);
	expect(cpuOf(history, 'sb_3', 1).slice(-2)).toEqual([40, 40]);
	expect(usageWithout(history, new Set(['sb_2']))).toBe(history);
});

test('the store folds lists into the usage of each account, and forgets computers that the list no longer names', () => {
	const list = (time: number, ids: readonly string[]) =>
		listRead(
			time,
			ids.map(id => ({ id, status: 'active', cpu: 50, memory: 20 })),
		);
	expect([...accountAfter(list(1, ['sb_1', 'sb_2'])).usage.places.keys()]).toEqual([
		'sb_1',
		'sb_2',
	]);
	const left = accountAfter(list(1, ['sb_1', 'sb_2']), list(400_000, ['sb_2']));
	expect([...left.usage.places.keys()]).toEqual(['sb_2']);
});

test('the last time at which a computer was busy outlives the slots, and is not told if its CPU was not read lately', () => {
	const idle = Array.from(
		{ length: 2 * slotCount },
		(_, slot) => [slot + 1, [{ id: 'sb_1', cpu: 1 }]] as const,
	);
	const history = after([0, [{ id: 'sb_1', cpu: 60 }]], ...idle);
	expect(lastBusyAt(history, 'sb_1', at(2 * slotCount))).toBe(at(0));
	expect(lastBusyAt(history, 'sb_2', at(2 * slotCount))).toBeUndefined();
	expect(lastBusyAt(history, 'sb_1', at(2 * slotCount + 8))).toBeUndefined();
	expect(lastBusyAt(after(...idle), 'sb_1', at(2 * slotCount))).toBeUndefined();
	const both = after([0, [{ id: 'sb_2' }, { id: 'sb_1', cpu: 60 }]], ...idle);
	const left = usageWithout(both, new Set(['sb_2']));
	expect(lastBusyAt(left, 'sb_1', at(2 * slotCount))).toBe(at(0));
});

test('30 minutes of ten thousand computers take less than a megabyte', () => {
	const readings = Array.from({ length: 10_000 }, (_, place) => ({
		id: `sb_${place}`,
		cpu: place % 100,
		memory: 40,
	}));
	const history = after(...Array.from({ length: 90 }, (_, slot) => [slot, readings] as const));
	const arrays = [...history.slots.flatMap(({ cpu, memory }) => [cpu, memory]), history.busySlots];
	const bytes = arrays.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
	expect(bytes).toBeGreaterThanOrEqual(2 * 10_000 * slotCount * 0.9);
	expect(bytes).toBeLessThan(1_000_000);
});
