import type { Clock } from './clock.ts';
import { createListeners } from './listeners.ts';

export type Activity = ReturnType<typeof createActivity>;

/** Tests wait until it is idle. Work is counted before it starts, so that the count is never zero between two steps. */
export function createActivity() {
	const idleListeners = createListeners();
	let pendingCount = 0;
	let startedCount = 0;

	function begin() {
		let hasEnded = false;
		pendingCount += 1;
		startedCount += 1;
		return () => {
			if (hasEnded) return;
			hasEnded = true;
			pendingCount -= 1;
			if (pendingCount === 0) idleListeners.notify();
		};
	}

	return {
		begin,
		wrapClock: (clock: Clock): Clock => ({
			now: clock.now,
			monotonic: clock.monotonic,
			after(milliseconds, call) {
				const end = begin();
				const cancelTimer = clock.after(milliseconds, () => {
					call();
					end();
				});
				return () => {
					cancelTimer();
					end();
				};
			},
		}),
		get pendingCount() {
			return pendingCount;
		},
		get startedCount() {
			return startedCount;
		},
		onIdle: idleListeners.subscribe,
	};
}
