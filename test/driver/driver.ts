import type { HeldClock } from '../held-clock.ts';
import { bytesOfKey } from './keys.ts';

export type Driver = ReturnType<typeof createDriver>;

type DriverOptions = {
	clock: HeldClock;
	idle: () => Promise<void>;
	/** Resolves when all responses that can come have come, but perhaps before they are drawn. */
	answered: () => Promise<void>;
	/** Sends bytes to the program, as a terminal does. */
	send: (text: string) => void;
	text: () => string;
};

const ignoredMilliseconds = 300;

/** Acts like a person: presses keys, waits until the program is idle, and reads the screen. */
export function createDriver({ clock, idle, answered, send, text }: DriverOptions) {
	/** Presses keys by their names. A key of several letters that is no name is typed, see `type`. */
	async function press(...keys: readonly string[]) {
		for (const key of keys) {
			send(bytesOfKey(key));
			await idle();
		}
	}

	async function pass(milliseconds: number, step = Math.max(1000, milliseconds / 12)) {
		await idle();
		for (let left = milliseconds; left > 0; left -= step) {
			clock.move(Math.min(step, left));
			// A test reads the screen only after the last step.
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

	return {
		idle,
		press,
		/** Types the text so fast that its letters arrive together. */
		type: (text: string) => press(text),
		/** Sends the text in one piece as a bracketed paste. */
		async paste(text: string) {
			send(`\u001B[200~${text}\u001B[201~`);
			await idle();
		},
		/**
		 * Moves the clock in steps of a second or longer. Waits after each until the responses have come, and after the last until the
		 * program is idle.
		 */
		pass,
		/** Passes time until the condition holds, and returns how long that took. */
		async passUntil(condition: () => boolean, limit: number, step = 10_000): Promise<number> {
			const from = clock.now();
			while (!condition() && clock.now() - from < limit) await pass(step, step);
			return clock.now() - from;
		},
		/** Fails unless the text is on the screen as soon as the program is idle. */
		async see(expected: string | RegExp) {
			await idle();
			const isThere =
				typeof expected === 'string' ? text().includes(expected) : expected.test(text());
			if (!isThere) throw new Error(`not on screen: ${expected}\n\n${text()}`);
		},
		/** Fails if the text is on the screen as soon as the program is idle. */
		async seeNo(unexpected: string) {
			await idle();
			if (text().includes(unexpected)) throw new Error(`on screen: ${unexpected}\n\n${text()}`);
		},
		answer,
		/** Presses the keys that ask a question, and answers the question with y. */
		async confirm(...keys: readonly string[]) {
			await press(...keys);
			await answer('y');
		},
		/** Moves the cursor down from the top until it is on the named computer. */
		async goTo(name: string) {
			await press('g');
			for (let row = 0; row < 30 && !text().includes(`❯ ${name}`); row += 1) await press('j');
		},
	};
}
