import type { Activity } from '../../source/fleet/activity.ts';
import type { HeldClock } from '../held-clock.ts';

/** How long the program waits for the rest of an escape before it takes it for a key. */
export const escapeTimeout = 30;
/** A turn of the event loop takes microseconds: so many are many seconds. */
const maxTurns = 400_000;

type IdleOptions = {
	activity: Activity;
	/** Requests are counted apart from keys and frames. */
	requests: Activity;
	/** How many answers the platform holds back until the clock moves, or for ever. */
	heldBack: () => number;
	/** Resolves when all that is to be drawn by now was handed to the terminal. */
	settled: () => Promise<void>;
	/** Whether the terminal has not taken yet what was written. */
	isDrawing: () => boolean;
	/** How many frames a stalled line holds back until the test lets them through. */
	stalledFrames: () => number;
	clock: HeldClock;
	/** For the message of a failure. */
	text: () => string;
};

const turn = () => new Promise(setImmediate);

/**
 * Resolves when the program is idle: every key was read, no request is under way that can be answered, no
 * frame is pending and nothing is due. It turns the event loop and never waits for a time.
 */
export function createIdle(parts: IdleOptions) {
	const { activity, requests, heldBack, settled, isDrawing, stalledFrames, clock, text } = parts;
	let turns = 0;

	async function until(isSo: () => boolean): Promise<void> {
		for (; !isSo(); turns += 1) {
			if (turns > maxTurns) throw new Error(`it did not become idle:\n\n${text()}`);
			await turn();
		}
	}

	return async function idle(): Promise<void> {
		turns = 0;
		for (let begun = -1; begun !== activity.begun + requests.begun; turns += 1) {
			begun = activity.begun + requests.begun;
			clock.move(0);
			await until(() => requests.count === heldBack());
			await settled();
			await turn();
			await until(() => !isDrawing());
			// What is left is the start of a sequence, whose rest does not come: it becomes a key.
			if (activity.count > stalledFrames() && !isDrawing()) {
				clock.move(escapeTimeout);
				begun = -1;
			}
		}
	};
}
