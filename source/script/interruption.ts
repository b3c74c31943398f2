import type { Clock } from '../foundation/clock.ts';
import { CommandError, exitCodes } from '../foundation/error.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';
import { outputError } from './command.ts';

/** Thrown when the reader of the output, such as `head`, has closed the pipe. */
export class BrokenPipe extends Error {}

export class TimedOut extends CommandError {
	constructor(seconds: number) {
		super('timeout', `Timed out after ${seconds} s`, '', exitCodes.cancelled);
	}

	/** Says what had been done by then, such as "Nothing was sent". */
	withConsequence(consequence: string): TimedOut {
		this.message += `. ${consequence}`;
		return this;
	}
}

export const nothingSentText = 'Nothing was sent';

export type Interruption = ReturnType<typeof watchForInterruption>;

/** After SIGINT or SIGTERM, --timeout, or a closed output. `signal.reason` is the error to report. */
export function watchForInterruption(program: Program, clock: Clock, seconds: number | undefined) {
	const controller = new AbortController();
	let stopTimer = startTimer();

	// The first SIGINT or SIGTERM removes the listeners, so that a second one ends the process at once.
	function stop() {
		stopTimer();
		program.stdout.off('error', abortOnOutputError);
		for (const name of ['SIGINT', 'SIGTERM'] as const) program.off(name, interrupt);
	}
	function interrupt() {
		stop();
		controller.abort(new Interrupted('interrupted'));
	}
	function abortOnOutputError({ code, message }: NodeJS.ErrnoException) {
		controller.abort(code === 'EPIPE' ? new BrokenPipe(message) : outputError(message));
	}
	function startTimer() {
		if (seconds === undefined) return () => {};
		return clock.after(seconds * 1000, () => controller.abort(new TimedOut(seconds)));
	}

	for (const name of ['SIGINT', 'SIGTERM'] as const) program.on(name, interrupt);
	program.stdout.on('error', abortOnOutputError);
	return {
		signal: controller.signal,
		/** As SIGINT does; a prompt calls it after Ctrl-C. */
		interrupt,
		/** The timeout stops while `work` runs, such as a question to a person, and then begins again. */
		async withoutTimeout<T>(work: () => Promise<T>): Promise<T> {
			stopTimer();
			try {
				return await work();
			} finally {
				stopTimer = startTimer();
			}
		},
		stop,
	};
}
