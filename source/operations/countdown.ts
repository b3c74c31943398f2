import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

// If the timer fires this late, the program was stopped, or the clock was set, and the countdown that a person saw was
// another one, so it starts again.
const unseenIfLateByMs = 1_000;

const betweenLooksMs = 10;

export type Countdown = ReturnType<typeof startCountdown>;

/** Counts down for the operations of one question, and only while a person can see it. */
export function startCountdown(counted: readonly Run[], durationMs: number, runs: Runs) {
	const { clock, jumps, state } = runs;
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
		runs.noteUnsent(counted, { stage: 'counting', graceEndsAt: endsAt });
	}

	function end() {
		// An Esc that was pressed in time still cancels.
		if (state.getState().isEscapePending()) {
			cancelTimer = clock.after(betweenLooksMs, end);
			return;
		}
		jumps.check();
		if (Math.abs(clock.now() - endsAt) >= unseenIfLateByMs) return restart();
		isOver = true;
		runs.noteUnsent(counted, { stage: 'queued' });
		resolve();
	}

	run();
	return {
		over,
		endsAt: () => endsAt,
		hold() {
			if (isOver) return;
			cancelTimer();
			const leftMs = Math.min(durationMs, Math.max(0, endsAt - clock.now()));
			runs.noteUnsent(counted, { stage: 'held', heldGraceMs: leftMs });
		},
		restart,
		close: () => cancelTimer(),
	};
}
