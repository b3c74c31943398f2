/**
 * Creates a function that computes a value for each item of a list. When the list changes, only the items that are new in
 * their place are computed again. The same array is returned as long as no value changes, so that what is made from the
 * values stays valid as well.
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
