import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Activity } from '../../foundation/activity.ts';

/** The number of an OSC sequence that no terminal knows, so all of them ignore the mark. */
export const idleMarkNumber = 7717;

type WaitUntilDrawn = () => Promise<void>;

/**
 * Writes a mark after the last frame, which tells tests in a real terminal that the program is idle. The mark has the
 * number of input bytes read so far, because a program is also idle before a key has reached it.
 */
export function createIdleMarks(activity: Activity, write: (sequence: string) => void) {
	let bytesRead = 0;
	let stop = () => {};

	/** A second call replaces the first, because only one renderer draws at a time. */
	function markWhenIdle(whenDrawn: WaitUntilDrawn) {
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
		/** Returns what to call when the program has handled what it read. */
		beginRead(bytes: Uint8Array | string) {
			bytesRead += Buffer.byteLength(bytes);
			return activity.begin();
		},
	};
}
