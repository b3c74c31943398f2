import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Activity } from '../fleet/activity.ts';

/** No terminal knows this number, so all of them ignore the mark. */
export const idleMark = 7717;

/** Resolves when everything that was drawn has been handed to the terminal. */
export type WhenDrawn = () => Promise<void>;

export type IdleMarking = {
	/** Writes a mark to the output each time that the program becomes idle. */
	markIdle(whenDrawn: WhenDrawn): void;
};

/**
 * Shows tests in a real terminal when the program is idle. A mark follows the last frame and says how many
 * bytes of input were read: a program is also idle before a key has reached it.
 */
export function createIdleMarks(activity: Activity, write: (sequence: string) => void) {
	let bytesRead = 0;
	let stop = () => {};

	/** Replaces an earlier call: only one renderer draws at a time. */
	function markIdle(whenDrawn: WhenDrawn) {
		let isChecking = false;
		let isOver = false;
		stop();

		async function check() {
			if (isChecking) return;
			isChecking = true;
			let begun: number;
			do {
				begun = activity.begun;
				await whenDrawn();
				// Callers that wait for a read continue within the same turn, and may begin more work.
				await nextTurn();
			} while (begun !== activity.begun && activity.count === 0);
			isChecking = false;
			if (activity.count === 0 && !isOver) write(`\u001B]${idleMark};${bytesRead}\u001B\\`);
		}

		const unsubscribe = activity.onRest(() => void check());
		stop = () => {
			isOver = true;
			unsubscribe();
		};
		if (activity.count === 0) void check();
	}

	return {
		markIdle,
		/** Counts the bytes that are read. */
		reading: (receive: (text: string) => void) => (text: string) => {
			const end = activity.begin();
			bytesRead += Buffer.byteLength(text);
			receive(text);
			end();
		},
		/** Counts a frame as work until the terminal has taken it. */
		sending:
			(send: (text: string, taken: () => void) => void) => (text: string, taken: () => void) => {
				const end = activity.begin();
				send(text, () => {
					taken();
					end();
				});
			},
	};
}
