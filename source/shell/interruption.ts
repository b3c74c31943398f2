import type { Clock } from '../fleet/clock.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';
import { exitCodes } from './command.ts';
import { CommandError } from './errors.ts';

/** The reader of the output has gone, as `head` does when it has seen enough. */
export class BrokenPipe extends Error {}

/** The time of --timeout is over; `consequence` says how far the command had come by then. */
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

export const nothingSent = 'Nothing was sent';

/** How a command is ended from outside; the reason of the signal is the error to end with. */
export type Interruption = {
	signal: AbortSignal;
	/** Interrupts the command without a signal of the system, as a prompt does on Ctrl-C. */
	interrupt(): void;
	/** Stops the timeout while a person answers, and starts it afresh afterwards. */
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

	// After the first signal nothing listens any more, so a second one ends the process at once.
	function stop() {
		stopTimer();
		program.stdout.off('error', fail);
		for (const name of ['SIGINT', 'SIGTERM'] as const) program.off(name, interrupt);
	}
	function interrupt() {
		stop();
		controller.abort(new Interrupted('interrupted'));
	}
	function fail({ code, message }: NodeJS.ErrnoException) {
		controller.abort(code === 'EPIPE' ? new BrokenPipe(message) : outputError(message));
	}
	function startTimer() {
		if (seconds === undefined) return () => {};
		return clock.after(seconds * 1000, () => controller.abort(new TimedOut(seconds)));
	}

	for (const name of ['SIGINT', 'SIGTERM'] as const) program.on(name, interrupt);
	program.stdout.on('error', fail);
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
