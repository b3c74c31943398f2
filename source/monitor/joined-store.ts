import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';

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

/** The time between two frames of answers in milliseconds. */
export const frameIntervalMs = 8;

/**
 * The time between two frames before the first rows. The rows would wait for each of
 * these frames, and a person could not read them in time.
 */
export const frameIntervalBeforeRowsMs = 100;

// A frame that seems to take longer was interrupted, because the host was asleep or the clock was set.
const maxFrameMs = 250;

type ThrottledStore<T> = JoinedStore<T> & {
	/** Notifies the subscribers now if a change is waiting. */
	flush(): void;
	close(): void;
};

/**
 * Wraps a store for the screen. Subscribers are notified of a change at once, but at most once per frame, so
 * that several changes at the same time are rendered only once. Changes that are not urgent are notified together
 * with the next urgent one.
 *
 * After a frame, changes wait at least as long as the frame took. So frames of answers take at most half of the time,
 * and a key that is pressed while a large batch is sent waits for one frame at most.
 */
export function createThrottledStore<T>(
	store: JoinedStore<T>,
	clock: Clock,
	isUrgent: (before: T, after: T) => boolean = () => true,
	/** The time between two frames in this state. */
	intervalIn: (state: T) => number = () => frameIntervalMs,
): ThrottledStore<T> {
	const listeners = createListeners();
	let notifiedState = store.getState();
	/** The state after the last change that was looked at, so that a change is never compared with an old state. */
	let lastState = notifiedState;
	// The store is created with the first picture, and the first change may follow at once.
	let notifiedAt = clock.now() - frameIntervalMs;
	/** How long the last frame took in milliseconds. */
	let frameMs = 0;
	let cancelFlush: (() => void) | undefined;
	let flushIntervalMs = 0;

	function flush() {
		cancelFlush?.();
		cancelFlush = undefined;
		const state = store.getState();
		if (state === notifiedState) return;
		notifiedState = state;
		lastState = state;
		notifiedAt = clock.now();
		frameMs = 0;
		listeners.notify();
		// React draws in a microtask that it queues while it is notified, so this one runs when the frame is complete.
		queueMicrotask(() => {
			frameMs = Math.min(maxFrameMs, Math.max(0, clock.now() - notifiedAt));
		});
	}

	const unsubscribe = store.subscribe(() => {
		const previousState = lastState;
		lastState = store.getState();
		const intervalMs = Math.max(intervalIn(lastState), 2 * frameMs);
		// A change that waits already takes later changes along, unless one of them makes the interval shorter.
		if (cancelFlush ? intervalMs >= flushIntervalMs : !isUrgent(previousState, lastState)) return;
		cancelFlush?.();
		const elapsedMs = clock.now() - notifiedAt;
		// A negative time means that the clock was set back, so the subscribers are notified at once.
		if (elapsedMs < 0 || elapsedMs >= intervalMs) return flush();
		flushIntervalMs = intervalMs;
		cancelFlush = clock.after(intervalMs - elapsedMs, flush);
	});

	return {
		getState: store.getState,
		subscribe: listeners.subscribe,
		flush,
		close() {
			cancelFlush?.();
			unsubscribe();
		},
	};
}
