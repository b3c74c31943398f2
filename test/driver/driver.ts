import type { Activity } from '../../source/foundation/activity.ts';
import type { HeldClock } from '../held-clock.ts';
import type { Device } from './device.ts';
import { bytesOfKey } from './keys.ts';

/** The program takes a lone escape character for the Esc key after this many milliseconds. */
const escapeTimeout = 30;
const ignoredMilliseconds = 300;
/** Most responses come within this many turns of the event loop, which take microseconds each. */
const quickTurns = 200;
/** The most turns that are waited for. After the quick ones, each takes a millisecond or more. */
const maxTurns = 30_000;

type DriverOptions = Pick<Device, 'isDrawing' | 'stalledFrames'> & {
	send: (bytes: string) => void;
	clock: HeldClock;
	activity: Activity;
	/** Counts the requests under way, which `activity` does not include. */
	requests: Activity;
	/** The number of responses that the platform delays until the clock moves, or never sends. */
	heldBack: () => number;
	/** Resolves when all pending frames have been handed to the terminal. */
	settled: () => Promise<void>;
	text: () => string;
};

/** A text that is seen or heard, or a pattern of it. */
export type Seen = string | RegExp;

const turn = () => new Promise(setImmediate);

/** Turns the event loop without using the processor, for what another process or thread does meanwhile. */
const slowTurn = () => new Promise(resolve => setTimeout(resolve, 1));

/** Acts like a person: presses keys, waits until the program is idle, and reads the screen. */
export async function createDriver(options: DriverOptions) {
	const { activity, requests, heldBack, settled, isDrawing, stalledFrames, send, clock, text } =
		options;
	let turns = 0;

	async function until(condition: () => boolean): Promise<void> {
		for (; !condition(); turns += 1) {
			if (turns > maxTurns) throw new Error(`the program did not become idle:\n\n${text()}`);
			await (turns < quickTurns ? turn() : slowTurn());
		}
	}

	/** Waits until no response can come, also to requests that follow from other responses. Perhaps they are not drawn yet. */
	async function answered(): Promise<void> {
		for (let begun = -1; begun !== requests.startedCount; ) {
			begun = requests.startedCount;
			clock.move(0);
			await until(() => requests.pendingCount === heldBack());
			// An answer is parsed one turn after it came.
			await turn();
			await turn();
		}
	}

	/**
	 * Resolves when the program is idle: every key was read, no request is waiting for a response that can come,
	 * no frame is pending and no timer is due. Waiting means turning the event loop, not letting real time pass.
	 */
	async function idle(): Promise<void> {
		turns = 0;
		for (let begun = -1; begun !== activity.startedCount + requests.startedCount; turns += 1) {
			await answered();
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

	/** Fails unless the texts are on the screen as soon as the program is idle. */
	async function see(...expected: readonly Seen[]) {
		await idle();
		for (const each of expected)
			if (!has(text(), each)) throw new Error(`not on screen: ${each}\n\n${text()}`);
	}

	/** Fails if one of the texts is on the screen as soon as the program is idle. */
	async function seeNo(...unexpected: readonly Seen[]) {
		await idle();
		for (const each of unexpected)
			if (has(text(), each)) throw new Error(`on screen: ${each}\n\n${text()}`);
	}

	const step = followedBy(done => ({
		see: (...expected: readonly Seen[]) => done.then(() => see(...expected)),
		seeNo: (...unexpected: readonly Seen[]) => done.then(() => seeNo(...unexpected)),
	}));

	/** Presses keys by their names. A key of several letters that is no name is typed, see `type`. */
	async function press(...keys: readonly string[]) {
		for (const key of keys) {
			send(bytesOfKey(key));
			await idle();
		}
	}

	/**
	 * Moves the clock in steps of a second or longer. Waits after each until the responses have come, and after the last
	 * until the program is idle, because a test reads the screen only then.
	 */
	async function pass(milliseconds: number, step = Math.max(1000, milliseconds / 12)) {
		await idle();
		for (let left = milliseconds; left > 0; left -= step) {
			clock.move(Math.min(step, left));
			turns = 0;
			await (left > step ? answered() : idle());
		}
	}

	/** Presses the keys that answer a question, each step after the 300 ms in which nothing confirms it. */
	async function answer(...keys: readonly string[]) {
		await idle();
		clock.move(ignoredMilliseconds);
		for (const [at, key] of keys.entries()) {
			if (keys[at - 1] === 'enter') clock.move(ignoredMilliseconds);
			await press(key);
		}
	}

	// The terminal takes keys from the second turn after its first frame.
	for (const _ of [1, 2, 3]) await idle();
	return {
		idle,
		press: step(press),
		/** Types the text so fast that its letters arrive together. */
		type: step((text: string) => press(text)),
		/** Sends the text in one piece as a bracketed paste. */
		paste: step(async (text: string) => {
			send(`\u001B[200~${text}\u001B[201~`);
			await idle();
		}),
		pass: step(pass),
		/** Passes time until the condition holds, and returns how long that took. */
		async passUntil(condition: () => boolean, limit: number, step = 10_000): Promise<number> {
			const from = clock.now();
			while (!condition() && clock.now() - from < limit) await pass(step, step);
			return clock.now() - from;
		},
		see,
		seeNo,
		answer: step(answer),
		/** Presses the keys that ask a question, and answers the question with y. */
		confirm: step(async (...keys: readonly string[]) => {
			await press(...keys);
			await answer('y');
		}),
		/** Moves the cursor down from the top until it is on the named computer. */
		goTo: step(async (name: string) => {
			await press('g');
			for (let row = 0; row < 30 && !text().includes(`❯ ${name}`); row += 1) await press('j');
		}),
	};
}

export const has = (text: string, wanted: Seen) =>
	typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);

/** What a person does, after which they look or listen: `press('x').see('Stop atlas?')`. */
export const followedBy =
	<Checks extends object>(checksAfter: (done: Promise<void>) => Checks) =>
	<Args extends readonly unknown[]>(act: (...args: Args) => Promise<void>) =>
	(...args: Args) => {
		const done = act(...args);
		return Object.assign(done, checksAfter(done));
	};
