import type { Clock } from '../foundation/clock.ts';
import { CommandError, exitCodes } from '../foundation/error.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';
import { outputError } from './stderr.ts';

/** The reader of the output, such as `head`, has closed it. */
export class BrokenPipe extends Error {}

export class TimedOut extends CommandError {
	constructor(seconds: number) {
		super('timeout', `Timed out after ${seconds} s`, '', exitCodes.cancelled);
	}

	withConsequence(consequence: string): TimedOut {
		this.message += `. ${consequence}`;
		return this;
	}
}

export const nothingSentText = 'Nothing was sent';

export type Interruption = ReturnType<typeof watchForInterruption>;

export function watchForInterruption(program: Program, clock: Clock, seconds: number | undefined) {
	const controller = new AbortController();
	let stopTimer = startTimer();

	// Without the listeners, a second signal ends the process at once.
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
		interrupt,
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
