/**
 * Creates a function that computes a value for each item of a list. When the list changes, a value is computed only
 * for an item that is new at its position. The same array is returned as long as no value changes, so that results
 * that depend on the array stay valid.
 */
export function createItemValues<T, V>(
	compute: (item: T) => V,
): (items: readonly T[]) => readonly V[] {
	let lastItems: readonly T[] = [];
	let values: readonly V[] = [];

	return items => {
		if (items === lastItems) return values;
		let changed: V[] | undefined;
		if (items.length !== values.length) changed = values.slice(0, items.length);
		for (let at = 0; at < items.length; at++) {
			const isOld = at < values.length;
			if (isOld && items[at] === lastItems[at]) continue;
			const value = compute(items[at] as T);
			if (isOld && Object.is(value, values[at])) continue;
			changed ??= values.slice();
			changed[at] = value;
		}
		lastItems = items;
		values = changed ?? values;
		return values;
	};
}
