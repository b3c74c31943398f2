/**
 * Counts how often fields of objects are read, at any depth. The count is the same on every machine, so a test can
 * bound it exactly. Measured time would depend on the load of the machine.
 */
export function createReadCounter() {
	let count = 0;
	const wrappers = new WeakMap<object, object>();

	function counted<T>(value: T): T {
		if (typeof value !== 'object' || value === null) return value;
		const existing = wrappers.get(value);
		if (existing) return existing as T;
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

	// The methods of a collection need the collection itself as `this`. Reads of the values that they return are
	// counted.
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
			? (...args: unknown[]) => counted(value.apply(target, args))
			: value;
	}

	return {
		counted,
		/** Returns the number of reads since the last call. */
		takeCount(): number {
			const taken = count;
			count = 0;
			return taken;
		},
	};
}
