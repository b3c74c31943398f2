import type { Clock } from '../fleet/clock.ts';
import type { Program } from './life.ts';

/** Long enough to be stopped within. */
const moment = 50;

export type JobOptions = {
	program: Program;
	clock: Clock;
	/** Hands the terminal to the shell; false when it was not ours to hand over. */
	giveBack: () => boolean;
	/** Takes it, whatever happened to it meanwhile. */
	takeAgain: () => void;
};

/** Being stopped and continued by a person or a shell. */
export function createJob({ program, clock, giveBack, takeAgain }: JobOptions) {
	function suspend() {
		if (!giveBack()) return;
		program.off('SIGTSTP', suspend);
		// To the whole job: whatever started it has to stop as well, or the shell would wait for it.
		program.kill(0, 'SIGTSTP');
		// Not reached before the job goes on, unless there is no shell that could let it.
		clock.after(moment, resume);
	}

	function resume() {
		program.off('SIGTSTP', suspend);
		program.on('SIGTSTP', suspend);
		takeAgain();
		// Nobody told a program that was stopped of a new size; this makes Node ask for it.
		program.kill(program.pid, 'SIGWINCH');
	}

	function watch() {
		if (program.platform === 'win32') return;
		program.on('SIGTSTP', suspend);
		program.on('SIGCONT', resume);
	}

	let isLent = false;

	return {
		suspend,
		watch,
		isLent: () => isLent,
		/** Whoever has the terminal meanwhile is stopped and continued without us. */
		async lend(work: () => Promise<void>, take: () => void) {
			program.off('SIGTSTP', suspend);
			program.off('SIGCONT', resume);
			giveBack();
			isLent = true;
			try {
				await work();
			} finally {
				isLent = false;
				watch();
				take();
			}
		},
	};
}
