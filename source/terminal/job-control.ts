import type { Clock } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';
import type { Program } from './shutdown.ts';

/** What happens when the terminal goes to the shell (Ctrl-Z) or is lent to another program. */
export type SuspendEvents = {
	/** Calls back before the terminal is given away; nothing that is drawn afterwards is seen. */
	onSuspend(call: () => void): () => void;
	/** Calls back when the terminal is ours again. */
	onResume(call: () => void): () => void;
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

/** A process that gets SIGTSTP stops within this time. */
const stopTime = 50;

export type JobControlOptions = {
	program: Program;
	clock: Clock;
	/** Hands the terminal to the shell; false when it was not ours to hand over. */
	giveBack: () => boolean;
	/** Takes the terminal, whatever state others left it in. */
	retake: () => void;
};

/**
 * Stops and continues the program as a shell expects it.
 *
 *    running ── Ctrl-Z, SIGTSTP: give the terminal back ──► stopped
 *       ▲                                                      │
 *       └──────────── SIGCONT: take it again ◄─────────────────┘
 */
export function createJobControl({ program, clock, giveBack, retake }: JobControlOptions) {
	let isLent = false;

	function suspend() {
		if (!giveBack()) return;
		program.off('SIGTSTP', suspend);
		// Stop the whole process group: a parent that goes on would keep the shell waiting.
		program.kill(0, 'SIGTSTP');
		// Runs only after the job was continued, or at once where no shell can stop it.
		clock.after(stopTime, resume);
	}

	function resume() {
		program.off('SIGTSTP', suspend);
		program.on('SIGTSTP', suspend);
		retake();
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
		isLent: () => isLent,
		/** Gives the terminal to another program, which Ctrl-Z then stops without stopping us. */
		async lend(work: () => Promise<void>, take: () => void) {
			program.off('SIGTSTP', suspend);
			program.off('SIGCONT', resume);
			giveBack();
			isLent = true;
			try {
				await work();
			} finally {
				isLent = false;
				install();
				take();
			}
		},
	};
}
