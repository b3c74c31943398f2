import type { Activity } from '../../source/fleet/activity.ts';
import type { HeldClock } from '../held-clock.ts';

/** The milliseconds after which the program takes a lone escape character for the Esc key. */
export const escapeTimeout = 30;
/** A turn of the event loop takes microseconds, so this many take several seconds. */
const maxTurns = 400_000;

type IdleOptions = {
	activity: Activity;
	/** Counts requests, which are not in `activity`. */
	requests: Activity;
	/** The number of responses that the platform delays until the clock moves, or never sends. */
	heldBack: () => number;
	/** Resolves when every frame that is due has been handed to the terminal. */
	settled: () => Promise<void>;
	/** Whether the terminal has yet to process some output. */
	isDrawing: () => boolean;
	/** The number of frames that a stalled line holds back. */
	stalledFrames: () => number;
	clock: HeldClock;
	/** The screen, for the message of a failure. */
	text: () => string;
};

const turn = () => new Promise(setImmediate);

/**
 * Resolves when the program is idle: every key was read, no request is waiting for a response that can come,
 * no frame is pending and no timer is due. It turns the event loop instead of waiting for real time.
 */
export function createIdle(options: IdleOptions) {
	const { activity, requests, heldBack, settled, isDrawing, stalledFrames, clock, text } = options;
	let turns = 0;

	async function until(condition: () => boolean): Promise<void> {
		for (; !condition(); turns += 1) {
			if (turns > maxTurns) throw new Error(`the program did not become idle:\n\n${text()}`);
			await turn();
		}
	}

	/** Waits until no response can come, also to requests that follow from other responses. */
	async function untilAnswered(): Promise<void> {
		for (let begun = -1; begun !== requests.begun; ) {
			begun = requests.begun;
			clock.move(0);
			await until(() => requests.count === heldBack());
			await turn();
		}
	}

	return async function idle(): Promise<void> {
		turns = 0;
		for (let begun = -1; begun !== activity.begun + requests.begun; turns += 1) {
			await untilAnswered();
			begun = activity.begun + requests.begun;
			await settled();
			await turn();
			await until(() => !isDrawing());
			// The rest is the start of an escape sequence that will not be completed: it becomes a key.
			if (activity.count > stalledFrames() && !isDrawing()) {
				clock.move(escapeTimeout);
				begun = -1;
			}
		}
	};
}
