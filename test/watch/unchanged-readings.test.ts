import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { FactBody } from '../../source/fleet/fact.ts';
import { createReadingReuse } from '../../source/watch/unchanged-readings.ts';

const atlas: Reading = { id: 'sb_1', name: 'atlas', cpu: 12, ports: [{ port: 80 }] };
const borealis: Reading = { id: 'sb_2', name: 'borealis', cpu: 0 };
const copyOf = (reading: Reading): Reading => structuredClone(reading);

/** Returns the readings of each list after those that equal earlier ones were replaced. */
function listsAfterReuse(
	...lists: readonly (readonly Reading[])[]
): readonly (readonly Reading[])[] {
	const reuse = createReadingReuse();
	return lists.map(computers => {
		const fact = reuse({ type: 'listRead', computers });
		return fact.type === 'listRead' ? fact.computers : [];
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
	['has another value', { ...atlas, cpu: 13 }],
	['has another port', { ...atlas, ports: [{ port: 81 }] }],
	['has one field more', { ...atlas, memory: 3 }],
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

test('all other fields of the list and all other facts stay as they are', () => {
	const reuse = createReadingReuse();
	const list: FactBody = { type: 'listRead', computers: [atlas], unreadable: 2 };
	expect(reuse(list)).toEqual(list);
	const status: FactBody = { type: 'statusRead', computer: atlas };
	expect(reuse(status)).toBe(status);
});
