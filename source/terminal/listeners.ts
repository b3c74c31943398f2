/** Those who want to be told of something, for as long as they want to. */
export function createListeners<Told = void>() {
	const listeners = new Set<(told: Told) => void>();

	return {
		tell(told: Told) {
			for (const call of listeners) call(told);
		},
		on(call: (told: Told) => void) {
			listeners.add(call);
			return () => {
				listeners.delete(call);
			};
		},
	};
}
