import type { Clock } from '../fleet/clock.ts';
import type { Store } from '../store/store.ts';

/** Ink draws at most 120 frames a second, so rendering more often is wasted. */
export const frameMs = 8;

export type ThrottledStore = Pick<Store, 'getState' | 'getInitialState' | 'subscribe'> & {
	/** Notifies the subscribers now if they are still to hear of a change. */
	flush(): void;
	close(): void;
};

/**
 * A store for the screen: it notifies its subscribers of the first change at once, and of those that
 * follow within the time of a frame together. A burst of answers is rendered once instead of once each.
 */
export function createThrottledStore(
	store: Pick<Store, 'getState' | 'getInitialState' | 'subscribe'>,
	clock: Clock,
): ThrottledStore {
	type Listener = Parameters<Store['subscribe']>[0];
	const listeners = new Set<Listener>();
	let notifiedState = store.getState();
	let notifiedAt = Number.NEGATIVE_INFINITY;
	let cancelFlush: (() => void) | undefined;

	function flush() {
		cancelFlush?.();
		cancelFlush = undefined;
		const state = store.getState();
		if (state === notifiedState) return;
		const earlierState = notifiedState;
		notifiedState = state;
		notifiedAt = clock.now();
		for (const listener of listeners) listener(state, earlierState);
	}

	const unsubscribe = store.subscribe(() => {
		if (cancelFlush) return;
		const elapsedMs = clock.now() - notifiedAt;
		// A clock that was set back must not hold the change back.
		if (elapsedMs < 0 || elapsedMs >= frameMs) flush();
		else cancelFlush = clock.after(frameMs - elapsedMs, flush);
	});

	return {
		getState: store.getState,
		getInitialState: store.getInitialState,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		flush,
		close() {
			cancelFlush?.();
			unsubscribe();
		},
	};
}
