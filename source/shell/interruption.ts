import type { Clock } from '../fleet/clock.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';
import { exitCodes } from './command.ts';
import { CommandError } from './errors.ts';

/** The reason for an abort after the reader of the output has closed the pipe, as `head` does. */
export class BrokenPipe extends Error {}

/**
 * The time of --timeout has passed. `consequence` says what had happened by then, such as "Nothing was
 * sent".
 */
export class TimedOut extends CommandError {
	readonly seconds: number;

	constructor(seconds: number, consequence?: string) {
		const message = `Timed out after ${seconds} s${consequence ? `. ${consequence}` : ''}`;
		super('timeout', message, '', exitCodes.cancelled);
		this.seconds = seconds;
	}

	withConsequence(consequence: string): TimedOut {
		return new TimedOut(this.seconds, consequence);
	}
}

export const nothingSentText = 'Nothing was sent';

/**
 * Aborts a command on a signal, on a timeout or on a closed pipe. The signal's reason is the error to
 * report.
 */
export type Interruption = {
	signal: AbortSignal;
	/** Interrupts the command as SIGINT would. A prompt calls this function on Ctrl-C. */
	interrupt(): void;
	/** Stops the timeout while a person answers a question, and then starts it again from zero. */
	withoutTimeout<T>(work: () => Promise<T>): Promise<T>;
	stop(): void;
};

export function watchForInterruption(
	program: Program,
	clock: Clock,
	seconds: number | undefined,
): Interruption {
	const controller = new AbortController();
	const { signal } = controller;
	let stopTimer = startTimer();

	// The first signal removes the listeners, so that a second signal ends the process at once.
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
		signal,
		interrupt,
		async withoutTimeout(work) {
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

function outputError(message: string): CommandError {
	return new CommandError('output', `Cannot write the output: ${message}`, '');
}
