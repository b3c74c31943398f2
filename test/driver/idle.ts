import type { Activity } from '../../source/foundation/activity.ts';
import type { HeldClock } from '../held-clock.ts';

/** The program takes a lone escape character for the Esc key after this many milliseconds. */
export const escapeTimeout = 30;
/** Most responses come within this many turns of the event loop, which take microseconds each. */
const quickTurns = 200;
/** The most turns that are waited for. After the quick ones, each takes a millisecond or more. */
const maxTurns = 30_000;

type IdleOptions = {
	activity: Activity;
	/** Counts the requests under way, which `activity` does not include. */
	requests: Activity;
	/** The number of responses that the platform delays until the clock moves, or never sends. */
	heldBack: () => number;
	/** Resolves when all pending frames have been handed to the terminal. */
	settled: () => Promise<void>;
	/** Whether the terminal has yet to process some output. */
	isDrawing: () => boolean;
	/** The number of frames that a stalled line holds back. */
	stalledFrames: () => number;
	clock: HeldClock;
	/** Returns the text of the screen, for the message of a failure. */
	text: () => string;
};

const turn = () => new Promise(setImmediate);

/** Turns the event loop without using the processor, for what another process or thread does meanwhile. */
const slowTurn = () => new Promise(resolve => setTimeout(resolve, 1));

/**
 * Resolves when the program is idle: every key was read, no request is waiting for a response that can come,
 * no frame is pending and no timer is due. Waiting means turning the event loop, not letting real time pass.
 */
export function createIdle(options: IdleOptions) {
	const { activity, requests, heldBack, settled, isDrawing, stalledFrames, clock, text } = options;
	let turns = 0;

	async function until(condition: () => boolean): Promise<void> {
		for (; !condition(); turns += 1) {
			if (turns > maxTurns) throw new Error(`the program did not become idle:\n\n${text()}`);
			await (turns < quickTurns ? turn() : slowTurn());
		}
	}

	/** Waits until no response can come, also to requests that follow from other responses. */
	async function untilAnswered(): Promise<void> {
		for (let begun = -1; begun !== requests.startedCount; ) {
			begun = requests.startedCount;
			clock.move(0);
			await until(() => requests.pendingCount === heldBack());
			await turn();
		}
	}

	async function answered(): Promise<void> {
		turns = 0;
		await untilAnswered();
	}

	async function idle(): Promise<void> {
		turns = 0;
		for (let begun = -1; begun !== activity.startedCount + requests.startedCount; turns += 1) {
			await untilAnswered();
			begun = activity.startedCount + requests.startedCount;
			await settled();
			await turn();
			await until(() => !isDrawing());
			clock.move(0);
			// Only an incomplete escape sequence can still be pending. It becomes a key after this time.
			if (activity.pendingCount > stalledFrames() && !isDrawing()) {
				clock.move(escapeTimeout);
				begun = -1;
			}
		}
	}

	return { idle, answered };
}
