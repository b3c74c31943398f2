import { expect, test } from 'vitest';
import { recalledUsageFrom, usageWithRecalled } from '../../source/store/recalled-usage.ts';
import {
	emptyUsage,
	slotCount,
	slotMs,
	type UsageHistory,
	usageAfter,
	usageCells,
} from '../../source/store/usage-history.ts';

const start = 1_000 * slotCount * slotMs;
const ids = ['sb_1', 'sb_2'];

function watched(from: number, to: number): UsageHistory {
	let history = emptyUsage;
	for (let slot = from; slot < to; slot += 1) {
		const readings = ids.map((id, place) => ({ id, cpu: (slot * 7 + place) % 100, memory: 40 }));
		history = usageAfter(history, readings, start + slot * slotMs, () => true);
	}
	return history;
}

const cellsOf = (history: UsageHistory, slot: number) =>
	ids.map(id => usageCells(history, id, 'cpu', start + slot * slotMs, slotCount));

test('the usage of an earlier run is the same after it was saved and restored', () => {
	const history = watched(0, 60);
	const recalled = recalledUsageFrom(history, ids);
	expect(JSON.stringify(recalled).length).toBeLessThan(300);
	const restored = recalled && usageWithRecalled(emptyUsage, recalled, () => true);
	expect(restored).toEqual(history);
	expect(recalledUsageFrom(emptyUsage, ids)).toBeUndefined();
});

test('usage of an earlier run fills only the gaps in what this run has read', () => {
	const recalled = recalledUsageFrom(watched(0, 20), ids);
	const now = usageAfter(emptyUsage, [{ id: 'sb_1', cpu: 100 }], start + 19 * slotMs, () => true);
	const merged = recalled && usageWithRecalled(now, recalled, () => true);
	const [one = [], two = []] = merged ? cellsOf(merged, 19) : [];
	expect(one.at(-1)).toBe(100);
	expect(one.at(-2)).toBeCloseTo((18 * 7) % 100, -1);
	expect(two.slice(-20)).toEqual(cellsOf(watched(0, 20), 19)[1]?.slice(-20));
});

test('computers that no longer exist, unknown letters, and slots that are too old are left out', () => {
	const usage = { lastSlotAt: start, computers: [{ id: 'sb_1', cpu: 'é€zz', memory: '' }] };
	expect(usageWithRecalled(emptyUsage, usage, () => false)).toBe(emptyUsage);
	const restored = usageWithRecalled(emptyUsage, usage, () => true);
	expect(restored.slots).toHaveLength(2);
	const later = usageAfter(emptyUsage, [{ id: 'sb_1', cpu: 5 }], start + 100 * slotMs, () => true);
	expect(usageWithRecalled(later, usage, () => true).slots).toEqual(later.slots);
});
