/** A set of functions that are called each time an event happens. */
export function createListeners<Event = void>() {
	const listeners = new Set<(event: Event) => void>();

	return {
		notify(event: Event) {
			for (const listener of listeners) listener(event);
		},
		/** Adds a listener. Returns a function that removes it. */
		subscribe(call: (event: Event) => void) {
			listeners.add(call);
			return () => {
				listeners.delete(call);
			};
		},
		isEmpty: () => listeners.size === 0,
		clear: () => listeners.clear(),
	};
}
