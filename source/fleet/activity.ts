import type { Clock } from './clock.ts';
import { createListeners } from './listeners.ts';

/**
 * Counts what is under way: requests, writes to the disk, keys on their way, frames. Tests wait until
 * there is nothing left. Work is counted before it starts, so that no step of it can be missed.
 */
export type Activity = {
	/** Counts one more piece of work. The function that it returns ends it, however often it is called. */
	begin(): () => void;
	/** Counts work until its promise settles. */
	during<T>(work: () => Promise<T>): Promise<T>;
	/** The same clock, on which a call that is waited for counts as work until it is made or called off. */
	timing(clock: Clock): Clock;
	/** How much is under way. */
	readonly count: number;
	/** How much has ever begun: while it stands still, nothing new has started. */
	readonly begun: number;
	/** Calls back each time that the count falls to zero. More may begin before the next turn. */
	onRest(call: () => void): () => void;
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
		timing: clock => ({
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
