/** After so many changes, the layers are merged into one map. */
const maxChanges = 64;

/**
 * A map that never changes, in two layers: a large map that many versions share, and the few items that this version
 * has in place of others or in addition. So a new version does not copy ten thousand items.
 */
class LayeredMap<V> implements ReadonlyMap<string, V> {
	readonly base: ReadonlyMap<string, V>;
	readonly changes: ReadonlyMap<string, V>;
	readonly size: number;

	constructor(base: ReadonlyMap<string, V>, changes: ReadonlyMap<string, V>) {
		this.base = base;
		this.changes = changes;
		let size = base.size;
		for (const key of changes.keys()) if (!base.has(key)) size += 1;
		this.size = size;
	}

	get(key: string): V | undefined {
		return this.changes.has(key) ? this.changes.get(key) : this.base.get(key);
	}

	has(key: string): boolean {
		return this.changes.has(key) || this.base.has(key);
	}

	/** Visits the items in the order in which their keys were added, as a `Map` does. */
	forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
		const { base, changes } = this;
		base.forEach((value, key) => {
			visit(changes.has(key) ? (changes.get(key) as V) : value, key, this);
		});
		changes.forEach((value, key) => {
			if (!base.has(key)) visit(value, key, this);
		});
	}

	*keys(): MapIterator<string> {
		yield* this.base.keys();
		for (const key of this.changes.keys()) if (!this.base.has(key)) yield key;
	}

	*values(): MapIterator<V> {
		const { base, changes } = this;
		for (const [key, value] of base) yield changes.has(key) ? (changes.get(key) as V) : value;
		for (const [key, value] of changes) if (!base.has(key)) yield value;
	}

	*entries(): MapIterator<[string, V]> {
		const { base, changes } = this;
		for (const [key, value] of base)
			yield [key, changes.has(key) ? (changes.get(key) as V) : value];
		for (const entry of changes) if (!base.has(entry[0])) yield entry;
	}

	[Symbol.iterator](): MapIterator<[string, V]> {
		return this.entries();
	}
}

/** Returns a map that also has this item. The map before stays as it is. */
export function withItem<V>(
	map: ReadonlyMap<string, V>,
	key: string,
	value: V,
): ReadonlyMap<string, V> {
	if (map.size < maxChanges) return new Map(map).set(key, value);
	const [base, changes] = layersOf(map);
	if (changes.size >= maxChanges && !changes.has(key)) {
		const merged = new Map(base);
		for (const [changedKey, changed] of changes) merged.set(changedKey, changed);
		return merged.set(key, value);
	}
	return new LayeredMap<V>(base, new Map(changes).set(key, value));
}

/** Returns a map without these items. If there are none to leave out, it is the same map. */
export function withoutItems<V>(
	map: ReadonlyMap<string, V>,
	keys: readonly string[],
): ReadonlyMap<string, V> {
	if (keys.length === 0) return map;
	const rest = new Map(map);
	for (const key of keys) rest.delete(key);
	return rest;
}

/**
 * Returns the keys at which two maps may differ; undefined if they share no layer, so that all items
 * have to be compared.
 */
export function keysThatMayDiffer<V>(
	one: ReadonlyMap<string, V>,
	other: ReadonlyMap<string, V>,
): ReadonlySet<string> | undefined {
	const [base, changes] = layersOf(one);
	const [otherBase, otherChanges] = layersOf(other);
	return base === otherBase ? new Set([...changes.keys(), ...otherChanges.keys()]) : undefined;
}

function layersOf<V>(
	map: ReadonlyMap<string, V>,
): readonly [ReadonlyMap<string, V>, ReadonlyMap<string, V>] {
	return map instanceof LayeredMap ? [map.base, map.changes] : [map, new Map()];
}
