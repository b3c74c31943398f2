import type { Clock } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';
import type { Program } from './shutdown.ts';

/** Long enough to be stopped within. */
const stopTime = 50;

export type JobControlOptions = {
	program: Program;
	clock: Clock;
	/** Hands the terminal to the shell; false when it was not ours to hand over. */
	giveBack: () => boolean;
	/** Takes it, whatever happened to it meanwhile. */
	retake: () => void;
};

/** Being stopped and continued by a person or a shell. */
export function createJobControl({
	program,
	clock,
	giveBack,
	retake: takeAgain,
}: JobControlOptions) {
	function suspend() {
		if (!giveBack()) return;
		program.off('SIGTSTP', suspend);
		// To the whole job: whatever started it has to stop as well, or the shell would wait for it.
		program.kill(0, 'SIGTSTP');
		// Not reached before the job goes on, unless there is no shell that could let it.
		clock.after(stopTime, resume);
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

/** Of what may be handed to somebody else: to the shell when it is suspended, or lent for a while. */
export type SuspendEvents = {
	/** Called before: nothing that is told from here on is seen. */
	onSuspend(call: () => void): () => void;
	/** Called when it was suspended, or lent, and goes on. */
	onResume(call: () => void): () => void;
};

export function createSuspendEvents() {
	const suspended = createListeners();
	const resumed = createListeners();
	const handover: SuspendEvents = { onSuspend: suspended.subscribe, onResume: resumed.subscribe };
	return { suspended: suspended.notify, resumed: resumed.notify, handover };
}
