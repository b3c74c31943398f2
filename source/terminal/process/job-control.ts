import type { Clock } from '../../foundation/clock.ts';
import { createListeners } from '../../foundation/listeners.ts';
import type { Program } from './shutdown.ts';
import { writeSynchronously } from './tty.ts';

/** Events around the time in which the shell (after Ctrl-Z) or another program has the terminal. */
export type SuspendEvents = {
	onSuspend(callback: () => void): () => void;
	onResume(callback: () => void): () => void;
};

export function createSuspendEvents() {
	const suspended = createListeners();
	const resumed = createListeners();
	const events: SuspendEvents = {
		onSuspend: suspended.subscribe,
		onResume: resumed.subscribe,
	};
	return { suspended: suspended.notify, resumed: resumed.notify, events };
}

/** A process that receives SIGTSTP has stopped within this time. */
const stopDeadlineMs = 50;

// Ctrl-C reaches both the program that has the terminal and this one. Node may report the end of that program
// first, and SIGINT within this time.
const maxInterruptDelayMs = 500;

export type LentWork = (restore: () => void) => Promise<void>;

type JobControlOptions = {
	program: Program;
	clock: Clock;
	/** Returns false when the program did not have the terminal. */
	giveBackTerminal: () => boolean;
	retakeTerminal: () => void;
	leftoverResets: string;
};

/**
 * Stops and continues the program as a shell expects it.
 *
 *    running ── Ctrl-Z, SIGTSTP: give the terminal back ──► stopped
 *       ▲                                                      │
 *       └──────────── SIGCONT: take it again ◄─────────────────┘
 */
export function createJobControl({
	program,
	clock,
	giveBackTerminal,
	retakeTerminal,
	leftoverResets,
}: JobControlOptions) {
	let ignoresInterrupts = false;
	let cancelInterruptWait = () => {};

	function suspend() {
		if (!giveBackTerminal()) return;
		program.off('SIGTSTP', suspend);
		// Stop the whole process group: a parent that still runs would keep the shell waiting.
		program.kill(0, 'SIGTSTP');
		// A stopped process runs this timer after SIGCONT; it also resumes a process that could not be stopped.
		clock.after(stopDeadlineMs, resume);
	}

	function resume() {
		program.off('SIGTSTP', suspend);
		program.on('SIGTSTP', suspend);
		retakeTerminal();
		// A stopped program misses resizes. This signal makes Node ask for the size.
		program.kill(program.pid, 'SIGWINCH');
	}

	function install() {
		if (program.platform === 'win32') return;
		program.on('SIGTSTP', suspend);
		program.on('SIGCONT', resume);
	}

	return {
		suspend,
		install,
		/** SIGINT is meant for a program that has the terminal, or had it a moment ago. */
		ignoresInterrupts: () => ignoresInterrupts,
		/** A program that is killed leaves the terminal as it was, perhaps raw, so `work` may call `restore`. */
		async lend(work: LentWork, take: () => void) {
			program.off('SIGTSTP', suspend);
			program.off('SIGCONT', resume);
			giveBackTerminal();
			cancelInterruptWait();
			ignoresInterrupts = true;
			const settings = program.stty?.('-g');
			const restore = () => {
				if (settings) program.stty?.(settings);
				writeSynchronously(program.stdout.fd, leftoverResets);
			};
			try {
				await work(restore);
			} finally {
				restore();
				cancelInterruptWait = clock.after(maxInterruptDelayMs, () => {
					ignoresInterrupts = false;
				});
				install();
				take();
			}
		},
	};
}
