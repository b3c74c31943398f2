import type { Operation } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';

/** The countdown before the requests of one question are sent. It runs only while a person can see it. */
export type Countdown = {
	/** Resolves when a person could see the whole countdown. */
	over: Promise<void>;
	/** Stops it because it is out of sight. `restart` begins it anew, with its full time. */
	hold(): void;
	restart(): void;
	close(): void;
};

type CountdownOptions = {
	durationMs: number;
	clock: Clock;
	/** Whether a key has arrived that may be Esc. An Esc that was pressed in time still cancels. */
	isEscapePending: () => boolean;
	/** Whether any of the operations still waits. */
	isWaitedFor: () => boolean;
	/** Called before the countdown ends, to end what a person may have forgotten. */
	beforeEnd: () => void;
	/** Notes a step of all the operations. */
	note: (step: Partial<Operation>) => void;
};

// If the timer fires this late, the program was stopped, or the clock was set, and the countdown that a person saw was
// another one, so it starts again.
const unseenIfLateByMs = 1_000;

const betweenLooksMs = 10;

/**
 * ```
 *   running ──hold──▶ held ──restart──▶ running, from its full time ──▶ over
 * ```
 *
 */
export function startCountdown(options: CountdownOptions): Countdown {
	const { durationMs, clock, isEscapePending, isWaitedFor, beforeEnd, note } = options;
	let endsAt = 0;
	let isOver = false;
	let cancelTimer = () => {};
	let resolve = () => {};
	const over = new Promise<void>(resolveOver => {
		resolve = resolveOver;
	});

	function run() {
		endsAt = clock.now() + durationMs;
		cancelTimer = clock.after(durationMs, end);
	}

	function restart() {
		if (isOver) return;
		run();
		note({ stage: 'counting', graceEndsAt: endsAt });
	}

	function end() {
		if (isEscapePending()) {
			cancelTimer = clock.after(betweenLooksMs, end);
			return;
		}
		beforeEnd();
		const isLate = Math.abs(clock.now() - endsAt) >= unseenIfLateByMs;
		if (isLate && isWaitedFor()) return restart();
		isOver = true;
		note({ stage: 'queued' });
		resolve();
	}

	run();
	return {
		over,
		hold() {
			if (isOver) return;
			cancelTimer();
			const leftMs = Math.min(durationMs, Math.max(0, endsAt - clock.now()));
			note({ stage: 'held', heldGraceMs: leftMs });
		},
		restart,
		close: () => cancelTimer(),
	};
}
