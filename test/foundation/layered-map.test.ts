import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysThatMayDiffer, withItem } from '../../source/foundation/layered-map.ts';

const itemsOf = (map: ReadonlyMap<string, number>) => {
	const visited: [string, number][] = [];
	map.forEach((value, key) => {
		visited.push([key, value]);
	});
	expect(visited).toEqual([...map]);
	expect([...map.keys()]).toEqual(visited.map(([key]) => key));
	expect([...map.values()]).toEqual(visited.map(([, value]) => value));
	expect([...map.entries()]).toEqual(visited);
	expect(map.size).toBe(visited.length);
	return visited;
};

const filled = (count: number): ReadonlyMap<string, number> =>
	new Map(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

test('a map with items added one by one is the same as a Map, and every earlier version stays as it was', () => {
	// Keys of the large map and other ones, so that items are replaced and added.
	const key = fc.integer({ min: 90, max: 120 }).map(number => `k${number}`);
	const items = fc.array(fc.tuple(key, fc.nat()), { maxLength: 90, size: 'max' });
	fc.assert(
		fc.property(fc.constantFrom(0, 63, 64, 100), items, (count, items) => {
			let map = filled(count);
			const expected = new Map(map);
			const versions = [[map, [...map]] as const];
			for (const [at, [key, value]] of items.entries()) {
				map = withItem(map, key, value);
				expected.set(key, value);
				expect(map.get(key)).toBe(value);
				if (at % 7 === 0) versions.push([map, [...expected]]);
			}
			versions.push([map, [...expected]]);
			for (const [version, inIt] of versions) {
				expect(itemsOf(version)).toEqual(inIt);
				const has = Array.from({ length: 130 }, (_, at) => version.has(`k${at}`));
				expect(has.filter(Boolean)).toHaveLength(inIt.length);
				const differing = keysThatMayDiffer(version, map);
				const changed = [...expected].filter(([key, value]) => version.get(key) !== value);
				if (differing) for (const [key] of changed) expect(differing).toContain(key);
			}
		}),
		{ numRuns: 40 },
	);
});

test('an item in a large map is changed without a copy of the others, and two versions differ at few keys', () => {
	const large = filled(10_000);
	let visits = 0;
	const counted: ReadonlyMap<string, number> = new Proxy(large, {
		get(map, name) {
			if (name === Symbol.iterator || name === 'entries') visits += 1;
			const value: unknown = Reflect.get(map, name, map);
			return typeof value === 'function' ? value.bind(map) : value;
		},
	});
	const one = withItem(counted, 'k7', 1);
	const other = withItem(one, 'k9', 2);
	expect([other.get('k7'), other.get('k8'), other.get('k9'), other.size]).toEqual([
		1, 8, 2, 10_000,
	]);
	expect(visits).toBe(0);
	expect([...(keysThatMayDiffer(one, other) ?? [])]).toEqual(['k7', 'k9']);
	expect(keysThatMayDiffer(one, new Map(large))).toBe(undefined);
});
