import type { Clock } from './clock.ts';
import { createListeners } from './listeners.ts';

/**
 * Counts work under way: requests, writes to disk, pending keys, frames. Tests wait until the count is zero.
 * Work is counted before it starts, so that the count never reaches zero between two steps.
 */
export type Activity = {
	/** Counts one piece of work until the returned function is called. */
	begin(): () => void;
	/** Counts one piece of work until its promise settles. */
	during<T>(work: () => Promise<T>): Promise<T>;
	/** Wraps a clock, so that its pending timers count as work until they fire or are cancelled. */
	wrapClock(clock: Clock): Clock;
	/** How many pieces of work are under way. */
	readonly count: number;
	/** How many pieces of work have ever begun. While this number stays the same, no new work has started. */
	readonly begun: number;
	/** Calls `listener` each time the count falls to zero. New work may begin right afterwards. */
	onRest(listener: () => void): () => void;
};

export function createActivity(): Activity {
	const resting = createListeners();
	let count = 0;
	let begun = 0;

	function begin() {
		let isOver = false;
		count += 1;
		begun += 1;
		return () => {
			if (isOver) return;
			isOver = true;
			count -= 1;
			if (count === 0) resting.notify();
		};
	}

	return {
		begin,
		async during(work) {
			const end = begin();
			try {
				return await work();
			} finally {
				end();
			}
		},
		wrapClock: clock => ({
			now: clock.now,
			after(milliseconds, call) {
				const end = begin();
				const callOff = clock.after(milliseconds, () => {
					call();
					end();
				});
				return () => {
					callOff();
					end();
				};
			},
		}),
		get count() {
			return count;
		},
		get begun() {
			return begun;
		},
		onRest: resting.subscribe,
	};
}
