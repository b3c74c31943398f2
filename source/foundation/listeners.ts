export function createListeners<Event = void>() {
	const listeners = new Set<(event: Event) => void>();

	return {
		notify(event: Event) {
			for (const listener of listeners) listener(event);
		},
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
