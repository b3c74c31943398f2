/**
 * Counts how often the fields of objects are read, in whatever depth. That is what an algorithm costs on
 * any machine, so a test can hold it to an exact bound where a stopwatch would only measure the load.
 */
export function createReadCounter() {
	let count = 0;
	const wrappers = new WeakMap<object, object>();

	function counted<T>(value: T): T {
		if (typeof value !== 'object' || value === null) return value;
		const known = wrappers.get(value);
		if (known) return known as T;
		const wrapper = new Proxy(value as object, {
			get(target, key, receiver) {
				count += 1;
				if (target instanceof Map || target instanceof Set) return fromCollection(target, key);
				return counted(Reflect.get(target, key, receiver));
			},
		});
		wrappers.set(value, wrapper);
		return wrapper as T;
	}

	// A collection works only as itself; what it hands out is watched like everything else.
	function fromCollection(
		target: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>,
		key: PropertyKey,
	) {
		if (key === 'values' || key === Symbol.iterator) {
			return function* () {
				for (const each of target.values()) yield counted(each);
			};
		}
		const value: unknown = Reflect.get(target, key, target);
		return typeof value === 'function'
			? (...given: unknown[]) => counted(value.apply(target, given))
			: value;
	}

	return {
		counted,
		/** How many reads there were since this was last asked. */
		takeCount(): number {
			const taken = count;
			count = 0;
			return taken;
		},
	};
}
