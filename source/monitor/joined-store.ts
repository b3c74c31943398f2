import type { Clock } from '../foundation/clock.ts';
import { createListeners, type Store } from '../foundation/listeners.ts';

type Subscribe = (listener: () => void) => () => void;

/** The state stays the same object while all values that `read` collects stay the same. */
export function joinStores<T extends object>(
	read: () => T,
	sources: readonly (Subscribe | undefined)[],
): Store<T> {
	let state = read();

	return {
		getState() {
			const next = read();
			for (const name in next) {
				if (next[name] === state[name]) continue;
				state = next;
				break;
			}
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

/** The shortest time between two frames that show answers. A key is drawn at once. */
export const frameIntervalMs = 33;

export type ThrottledStore<T> = Store<T> & { flush(): void; close(): void };

/** Tells its subscribers of changes at once, but at most once in a frame, so that several answers are drawn together. */
export function createThrottledStore<T>(store: Store<T>, clock: Clock): ThrottledStore<T> {
	const listeners = createListeners();
	let told = store.getState();
	let toldAt = Number.NEGATIVE_INFINITY;
	let cancelTimer: (() => void) | undefined;

	function flush() {
		cancelTimer?.();
		cancelTimer = undefined;
		const state = store.getState();
		if (state === told) return;
		told = state;
		toldAt = clock.monotonic();
		listeners.notify();
	}

	const unsubscribe = store.subscribe(() => {
		const leftMs = toldAt + frameIntervalMs - clock.monotonic();
		if (leftMs <= 0) flush();
		else cancelTimer ??= clock.after(leftMs, flush);
	});

	return {
		getState: store.getState,
		subscribe: listeners.subscribe,
		flush,
		close() {
			cancelTimer?.();
			unsubscribe();
		},
	};
}
