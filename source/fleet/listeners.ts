/** Functions to call each time that something happens. */
export function createListeners<Event = void>() {
	const listeners = new Set<(event: Event) => void>();

	return {
		notify(event: Event) {
			for (const call of listeners) call(event);
		},
		/** Calls back each time, until the function that it returns is called. */
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
