import { expect, test } from 'vitest';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import { createReadingReuse } from '../../../source/fleet/computers/unchanged-readings.ts';

const atlas: Reading = { id: 'sb_1', name: 'atlas', cpu: 12, ports: [{ port: 80 }] };
const borealis: Reading = { id: 'sb_2', name: 'borealis', cpu: 0 };
const copyOf = (reading: Reading): Reading => structuredClone(reading);

/** Returns the readings of each list after those that equal earlier ones were replaced. */
function listsAfterReuse(
	...lists: readonly (readonly Reading[])[]
): readonly (readonly Reading[])[] {
	let before: readonly Reading[] = [];
	return lists.map(computers => {
		before = computers.map(createReadingReuse(before));
		return before;
	});
}

test('a reading that equals the reading in the previous list is the same object', () => {
	const [, second = []] = listsAfterReuse([atlas, borealis], [copyOf(atlas), copyOf(borealis)]);
	expect(second[0]).toBe(atlas);
	expect(second[1]).toBe(borealis);
});

test('a reading is reused after the order of the list has changed', () => {
	const [, second = []] = listsAfterReuse([atlas, borealis], [copyOf(borealis), copyOf(atlas)]);
	expect(second[0]).toBe(borealis);
	expect(second[1]).toBe(atlas);
});

test.each<[string, Reading]>([
	['has another name', { ...atlas, name: 'atlas-2' }],
	['has another name and another CPU', { ...atlas, name: 'atlas-2', cpu: 13 }],
	['has another port', { ...atlas, ports: [{ port: 81 }] }],
	['has one field more', { ...atlas, memory: 3 }],
	['has no name', { id: 'sb_1', cpu: 13, ports: [{ port: 80 }] }],
	['has one field less', { id: 'sb_1', name: 'atlas', ports: [{ port: 80 }] }],
])('a reading that %s is not replaced', (_, changed) => {
	const [, second] = listsAfterReuse([atlas], [changed]);
	expect(second?.[0]).toBe(changed);
});

test('a start time that differs by less than the precision of the uptime stays the same, also if the answer has other news', () => {
	const running: Reading = { ...atlas, startedAt: 100_000 };
	const [, second, third, fourth] = listsAfterReuse(
		[running],
		[{ ...running, startedAt: 100_900 }],
		[{ ...running, startedAt: 101_800, cpu: 13 }],
		[{ ...running, startedAt: 190_000, cpu: 13 }],
	);
	expect(second?.[0]).toBe(running);
	expect(third?.[0]).toEqual({ ...running, cpu: 13 });
	expect(fourth?.[0]?.startedAt).toBe(190_000);
});

test('a computer that was in no list before is kept', () => {
	const [, second] = listsAfterReuse([atlas], [borealis, copyOf(atlas)]);
	expect(second?.[0]).toBe(borealis);
	expect(second?.[1]).toBe(atlas);
});

test.each<[string, Partial<Reading>]>([
	['CPU', { cpu: 13 }],
	['CPU and memory', { cpu: 13, memory: 3 }],
	['CPU, which is now unknown', { cpu: null }],
])('a reading with only another %s shares everything else with the earlier reading', (_, usage) => {
	const earlier: Reading = 'memory' in usage ? { ...atlas, memory: 2 } : atlas;
	const next = { ...copyOf(earlier), ...usage };
	const [, second = []] = listsAfterReuse([earlier], [next]);
	expect(second[0]).not.toBe(next);
	expect(second[0]).toStrictEqual(next);
	expect(second[0]?.ports).toBe(earlier.ports);
});
