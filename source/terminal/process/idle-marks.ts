import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Activity } from '../../foundation/activity.ts';

/** The number of an OSC sequence that no terminal knows, so all of them ignore the mark. */
export const idleMarkNumber = 7717;

/** Tells tests that the program is idle, and how much it has read: it is idle also before a key has reached it. */
export function createIdleMarks(activity: Activity, write: (sequence: string) => void) {
	let bytesRead = 0;
	let stop = () => {};

	/** A second call replaces the first, because only one renderer draws at a time. */
	function markWhenIdle(whenDrawn: () => Promise<void>) {
		let isChecking = false;
		let isOver = false;
		stop();

		async function check() {
			if (isChecking) return;
			isChecking = true;
			let begun: number;
			do {
				begun = activity.startedCount;
				await whenDrawn();
				// Code that waited for the finished work runs in the same turn of the event loop, and may begin more.
				await nextTurn();
			} while (begun !== activity.startedCount && activity.pendingCount === 0);
			isChecking = false;
			if (activity.pendingCount === 0 && !isOver)
				write(`\u001B]${idleMarkNumber};${bytesRead}\u001B\\`);
		}

		const unsubscribe = activity.onIdle(() => void check());
		stop = () => {
			isOver = true;
			unsubscribe();
		};
		if (activity.pendingCount === 0) void check();
	}

	return {
		markWhenIdle,
		beginRead(bytes: Uint8Array | string) {
			bytesRead += Buffer.byteLength(bytes);
			return activity.begin();
		},
	};
}
