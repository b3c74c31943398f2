import type { Clock } from '../fleet/clock.ts';

/** The countdowns before requests are sent, and plain timers. A countdown runs only while a person can see it. */
export type Countdowns = {
	/** Starts a countdown that a person must see from beginning to end. */
	begin(durationMs: number, callbacks: CountdownCallbacks): void;
	/** Starts a plain timer, which runs whether or not a person can see the screen. */
	startTimer(durationMs: number, onEnd: () => void): void;
	/** Stops all countdowns because they are out of sight. `release` restarts each one with its full time. */
	hold(): void;
	release(): void;
	close(): void;
};

type CountdownCallbacks = {
	/** Called when a countdown is held, with the milliseconds that remain. */
	onHeld(remainingMs: number): void;
	/** Called when a countdown starts again, because the person could not see all of it. */
	onRestart(endsAt: number): void;
	/** Called when a countdown has ended. `wasAwake` is false if the host slept during the countdown. */
	onEnd(wasAwake: boolean): void;
};

// A countdown whose timer fires this late starts again: the program was stopped, so the end was not visible.
const unseenIfLateByMs = 1_000;
// If a timer fires this late, the host was asleep. The operation is then cancelled, because the person may have
// forgotten it.
const asleepIfLateByMs = 10_000;

/**
 * ```
 *   running ──hold──▶ held ──release──▶ running, from its full time ──▶ over
 * ```
 *
 * The function is over 60 lines because all countdowns share one hold.
 */
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
		begin(milliseconds, { onHeld, onRestart, onEnd }) {
			if (milliseconds <= 0) return onEnd(true);
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
				if (late >= unseenIfLateByMs && late < asleepIfLateByMs) return countdown.restart();
				counting.delete(countdown);
				onEnd(late < asleepIfLateByMs);
			}

			counting.add(countdown);
			run();
			if (isHeld) countdown.hold();
		},
		startTimer: later,
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

/** Why countdowns are out of sight. The quit dialog holds the queue as well. */
export type HoldReason = 'dialog' | 'quit' | 'suspended' | 'too small';
