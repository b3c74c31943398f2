import type { Clock } from '../fleet/clock.ts';

/** What is to be done in a while, unless the program ends before. */
export type Countdowns = {
	/** For a person to see from its beginning to its end. */
	begin(milliseconds: number, countdown: Countdown): void;
	/** Whether or not a person sees it. */
	later(milliseconds: number, call: () => void): void;
	/** Countdowns are out of sight: none ends before `release`, which starts each from its full time. */
	hold(): void;
	release(): void;
	close(): void;
};

type Countdown = {
	/** It is held with so many milliseconds left. */
	onHeld(left: number): void;
	/** It was not seen to its end, and starts again. */
	onRestart(until: number): void;
	/** Hears whether the program was awake all the while. */
	onOver(wasAwake: boolean): void;
};

// A program that was stopped for a moment has not shown the end of a countdown.
const unseenAfter = 1_000;
// After a sleep this long a person no longer has the countdown in mind.
const asleepAfter = 10_000;

export function createCountdowns(clock: Clock): Countdowns {
	const timers = new Set<() => void>();
	const counting = new Set<{ hold(): void; restart(): void }>();
	let isHeld = false;

	function later(milliseconds: number, call: () => void) {
		const stop = clock.after(milliseconds, () => {
			timers.delete(stop);
			call();
		});
		timers.add(stop);
		return () => {
			timers.delete(stop);
			stop();
		};
	}

	return {
		begin(milliseconds, { onHeld, onRestart, onOver }) {
			if (milliseconds <= 0) return onOver(true);
			let until = 0;
			let stop = () => {};
			const countdown = {
				hold() {
					stop();
					onHeld(Math.min(milliseconds, Math.max(0, until - clock.now())));
				},
				restart() {
					run();
					onRestart(until);
				},
			};

			function run() {
				until = clock.now() + milliseconds;
				if (!isHeld) stop = later(milliseconds, end);
			}

			function end() {
				const late = clock.now() - until;
				if (late >= unseenAfter && late < asleepAfter) return countdown.restart();
				counting.delete(countdown);
				onOver(late < asleepAfter);
			}

			counting.add(countdown);
			run();
			if (isHeld) countdown.hold();
		},
		later,
		hold() {
			if (isHeld) return;
			isHeld = true;
			for (const { hold } of counting) hold();
		},
		release() {
			if (!isHeld) return;
			isHeld = false;
			for (const { restart } of counting) restart();
		},
		close() {
			for (const stop of timers) stop();
			timers.clear();
			counting.clear();
		},
	};
}

/**
 * Why countdowns are not in sight: none of them runs meanwhile. While a person is asked whether to quit,
 * what waits in the queue is held as well.
 */
export type HoldReason = 'dialog' | 'quit' | 'suspended' | 'too small';
