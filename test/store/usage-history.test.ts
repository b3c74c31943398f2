import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import {
	emptyUsage,
	lastBusyAt,
	recalledUsageFrom,
	slotCount,
	slotMs,
	type UsageHistory,
	usageAfter,
	usageCells,
	usageWithout,
	usageWithRecalled,
} from '../../source/store/usage-history.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';

const start = 1_000 * slotCount * slotMs;
const at = (slot: number) => start + slot * slotMs;

function watched(...lists: readonly (readonly [slot: number, readings: readonly Reading[]])[]) {
	return lists.reduce(
		(history, [slot, readings]) => usageAfter(history, readings, at(slot)),
		emptyUsage,
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

test('a stopped computer, and one without usage, change nothing', () => {
	const history = watched([0, [{ id: 'sb_1', cpu: 10 }]]);
	expect(usageAfter(history, [{ id: 'sb_1', cpu: null }], at(0))).toBe(history);
	expect(usageAfter(history, [{ id: 'sb_1', cpu: 10 }], at(0))).toBe(history);
	expect(usageAfter(emptyUsage, [{ id: 'sb_1' }], at(0))).toBe(emptyUsage);
});

test('values older than 30 minutes are dropped, and so are values from a clock that was ahead', () => {
	const history = watched(
		[0, [{ id: 'sb_1', cpu: 10 }]],
		[500, [{ id: 'sb_1', cpu: 20 }]],
		[3, [{ id: 'sb_1', cpu: 30 }]],
		[slotCount, [{ id: 'sb_1', cpu: 40 }]],
	);
	const cells = cpuOf(history, 'sb_1', slotCount);
	expect(cells.filter(cell => cell !== undefined)).toEqual([31, 40]);
});

test('the store keeps the usage of the computers that the list names', () => {
	const list = (time: number, ids: readonly string[]) =>
		listRead(
			time,
			ids.map(id => ({ id, status: 'active', cpu: 50, memory: 20 })),
		);
	const left = accountAfter(list(1, ['sb_1', 'sb_2']), list(400_000, ['sb_2']));
	expect([...left.usage.computers.keys()]).toEqual(['sb_2']);
	expect(usageWithout(left.usage, ['sb_1'])).toBe(left.usage);
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

describe('the usage of an earlier run', () => {
	const ids = ['sb_1', 'sb_2'];
	const known = new Set(ids);
	const recent = (from: number, to: number) =>
		watched(
			...Array.from({ length: to - from }, (_, place) => {
				const slot = from + place;
				const readings = ids.map((id, at) => ({ id, cpu: (slot * 7 + at) % 100, memory: 40 }));
				return [slot, readings] as const;
			}),
		);

	test('is the same after it was saved and restored', () => {
		const history = recent(0, 60);
		const recalled = recalledUsageFrom(history);
		expect(JSON.stringify(recalled).length).toBeLessThan(700);
		expect(recalled && usageWithRecalled(emptyUsage, recalled, known)).toEqual(history);
		expect(recalledUsageFrom(emptyUsage)).toBeUndefined();
	});

	test('fills only the gaps in what this run has read', () => {
		const recalled = recalledUsageFrom(recent(0, 20));
		const now = watched([19, [{ id: 'sb_1', cpu: 100 }]]);
		const merged = recalled && usageWithRecalled(now, recalled, known);
		const [one = [], two = []] = merged ? ids.map(id => cpuOf(merged, id, 19)) : [];
		expect(one.slice(-2)).toEqual([cpuOf(recent(0, 20), 'sb_1', 19).at(-2), 100]);
		expect(two).toEqual(cpuOf(recent(0, 20), 'sb_2', 19));
	});

	test('is left out for computers that no longer exist, and where it is too old', () => {
		const usage = {
			lastSlotAt: start,
			computers: [{ id: 'sb_1', cpu: [0, 0, 62, 62], memory: [0, 0, 0, 0] }],
		};
		expect(usageWithRecalled(emptyUsage, usage, new Set()).computers.size).toBe(0);
		const restored = usageWithRecalled(emptyUsage, usage, known);
		expect(cpuOf(restored, 'sb_1', 0).slice(-4)).toEqual([undefined, undefined, 98, 98]);
		const later = watched([100, [{ id: 'sb_1', cpu: 5 }]]);
		const both = usageWithRecalled(later, usage, known);
		expect(cpuOf(both, 'sb_1', 100)).toEqual(cpuOf(later, 'sb_1', 100));
	});
});
