import type { HeldClock } from '../held-clock.ts';
import { sequenceOf } from './keys.ts';

export type Driver = ReturnType<typeof createDriver>;

type DriverOptions = {
	clock: HeldClock;
	idle: () => Promise<void>;
	/** Gives the program bytes, as a terminal does. */
	send: (text: string) => void;
	text: () => string;
};

const ignoredMilliseconds = 300;

/** A person before the program: acts, waits until the program is idle, and looks. */
export function createDriver({ clock, idle, send, text }: DriverOptions) {
	async function press(...keys: readonly string[]) {
		for (const key of keys) {
			send(sequenceOf(key));
			await idle();
		}
	}

	async function pass(milliseconds: number, step = Math.max(1000, milliseconds / 12)) {
		await idle();
		for (let left = milliseconds; left > 0; left -= step) {
			clock.move(Math.min(step, left));
			await idle();
		}
	}

	return {
		idle,
		press,
		/** Letter after letter. */
		type: (letters: string) => press(...letters),
		/** All at once, between the marks of a terminal that knows them. */
		async paste(pasted: string) {
			send(`\u001B[200~${pasted}\u001B[201~`);
			await idle();
		},
		/** Lets time pass in steps, a second or longer, and waits after each until the program is idle. */
		pass,
		/** Goes on until that is so, and says how long it took. */
		async passUntil(isSo: () => boolean, atMost: number, step = 10_000): Promise<number> {
			const from = clock.now();
			while (!isSo() && clock.now() - from < atMost) await pass(step, step);
			return clock.now() - from;
		},
		/** What is to be on screen has to be there as soon as the program is idle. */
		async see(wanted: string | RegExp) {
			await idle();
			const isThere = typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text());
			if (!isThere) throw new Error(`not on screen: ${wanted}\n\n${text()}`);
		},
		async unseen(unwanted: string) {
			await idle();
			if (text().includes(unwanted)) throw new Error(`on screen: ${unwanted}\n\n${text()}`);
		},
		/** A question is deaf at first, so that a key meant for the table cannot answer it. */
		async answer(...keys: readonly string[]) {
			await idle();
			clock.move(ignoredMilliseconds);
			await press(...keys);
		},
		/** The cursor goes down to a computer, whatever the order of the table. */
		async goTo(name: string) {
			await press('g');
			for (let row = 0; row < 30 && !text().includes(`❯ ${name}`); row += 1) await press('j');
		},
	};
}
