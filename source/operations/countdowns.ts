import type { Clock } from '../fleet/clock.ts';

/** What is to be done in a while, unless the program ends before. */
export type Countdowns = {
	/** For somebody to see from its beginning to its end. */
	begin(milliseconds: number, countdown: Countdown): void;
	/** Whether or not anybody sees it. */
	later(milliseconds: number, call: () => void): void;
	/** Nobody sees them from here on: none ends before they are shown again, and each begins anew then. */
	hide(): void;
	show(): void;
	close(): void;
};

type Countdown = {
	/** It was not seen to its end, and has another one. */
	onAnew(until: number): void;
	/** Hears whether the program was awake all the while. */
	onOver(wasAwake: boolean): void;
};

// Whoever stopped the program for a moment has not seen the end.
const lateFrom = 1_000;
// Whoever closed the lid during a countdown does not think of it any more.
const asleepFrom = 10_000;

export function createCountdowns(clock: Clock): Countdowns {
	const callOffs = new Set<() => void>();
	const shown = new Set<{ stop(): void; beginAnew(): void }>();
	let isHidden = false;

	function later(milliseconds: number, call: () => void) {
		const callOff = clock.after(milliseconds, () => {
			callOffs.delete(callOff);
			call();
		});
		callOffs.add(callOff);
		return () => {
			callOffs.delete(callOff);
			callOff();
		};
	}

	return {
		begin(milliseconds, { onAnew, onOver }) {
			if (milliseconds <= 0) return onOver(true);
			let stop = () => {};
			const countdown = { stop: () => stop(), beginAnew: () => onAnew(run()) };

			function run() {
				const until = clock.now() + milliseconds;
				if (!isHidden) stop = later(milliseconds, () => end(clock.now() - until));
				return until;
			}

			function end(late: number) {
				if (late >= lateFrom && late < asleepFrom) return countdown.beginAnew();
				shown.delete(countdown);
				onOver(late < asleepFrom);
			}

			shown.add(countdown);
			run();
		},
		later,
		hide() {
			isHidden = true;
			for (const { stop } of shown) stop();
		},
		show() {
			if (!isHidden) return;
			isHidden = false;
			for (const { beginAnew } of shown) beginAnew();
		},
		close() {
			for (const callOff of callOffs) callOff();
			callOffs.clear();
			shown.clear();
		},
	};
}
