import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Activity } from '../fleet/activity.ts';

/** No terminal knows this number, so all of them swallow the mark. */
export const idleMark = 7717;

/** Resolves when whatever is drawn has been handed to the terminal. */
export type WhenDrawn = () => Promise<void>;

export type IdleMarking = {
	/** Marks in the output each time that the program has become idle. */
	markIdle(settled: WhenDrawn): void;
};

/**
 * Lets tests in a real terminal see when the program is idle. A mark follows the last frame and says how
 * many bytes of input were read, because a program is idle as well before a key has reached it.
 */
export function createIdleMarks(activity: Activity, write: (sequence: string) => void) {
	let bytesRead = 0;
	let stop = () => {};

	/** Marks each rest, until it is called again for something else that draws. */
	function markIdle(settled: WhenDrawn) {
		let isLooking = false;
		let isOver = false;
		stop();

		async function look() {
			if (isLooking) return;
			isLooking = true;
			let begun: number;
			do {
				begun = activity.begun;
				await settled();
				// What was read is told to whoever waits for it within the same turn.
				await nextTurn();
			} while (begun !== activity.begun && activity.count === 0);
			isLooking = false;
			if (activity.count === 0 && !isOver) write(`\u001B]${idleMark};${bytesRead}\u001B\\`);
		}

		const endNews = activity.onRest(() => void look());
		stop = () => {
			isOver = true;
			endNews();
		};
		if (activity.count === 0) void look();
	}

	return {
		markIdle,
		/** Counts what is read. */
		reading: (receive: (text: string) => void) => (text: string) => {
			const end = activity.begin();
			bytesRead += Buffer.byteLength(text);
			receive(text);
			end();
		},
		/** Counts a frame until the terminal has taken it. The next one may begin with its end. */
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
