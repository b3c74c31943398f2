/** Calls the listener after each change. Returns a function that ends the subscription. */
export type Subscribe = (listener: () => void) => () => void;

export type JoinedStore<T> = { getState: () => T; subscribe: Subscribe };

/**
 * Joins several sources into one store, which computes nothing of its own. `read` collects the values of the
 * sources, and the state stays the same object while all of them stay the same.
 */
export function joinStores<T extends object>(
	read: () => T,
	sources: readonly (Subscribe | undefined)[],
): JoinedStore<T> {
	let state = read();

	return {
		getState() {
			const next = read();
			const names = Object.keys(next) as (keyof T)[];
			if (names.some(name => next[name] !== state[name])) state = next;
			return state;
		},
		subscribe(listener) {
			const unsubscribers = sources.map(subscribe => subscribe?.(() => listener()));
			return () => {
				for (const unsubscribe of unsubscribers) unsubscribe?.();
			};
		},
	};
}
