import type { Clock } from '../fleet/clock.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';
import { exitCodes } from './command.ts';
import { CommandError } from './errors.ts';

/** Nobody reads the output any more, as when `head` has seen enough. */
export class BrokenPipe extends Error {}

/** The time of --timeout is over; `what` tells what that means for what was asked for. */
export class TimedOut extends CommandError {
	readonly seconds: number;

	constructor(seconds: number, what?: string) {
		const message = `given up waiting after ${seconds} s${what ? `: ${what}` : ''}`;
		super('timeout', message, '', exitCodes.cancelled);
		this.seconds = seconds;
	}

	about(what: string): TimedOut {
		return new TimedOut(this.seconds, what);
	}
}

export const nothingSent = 'nothing was sent';

export type Interruption = {
	signal: AbortSignal;
	/** For who says so in another way than by a signal. */
	interrupt(): void;
	/** Whoever answers a question takes the time that it takes. */
	untimed<T>(work: () => Promise<T>): Promise<T>;
	stop(): void;
};

/** The ways in which a command is ended from outside; the reason of the signal tells which. */
export function watchForInterruption(
	program: Program,
	clock: Clock,
	seconds: number | undefined,
): Interruption {
	const ending = new AbortController();
	const { signal } = ending;
	let callOff = startTimer();

	// Asked a second time, it ends at once: nobody listens for the signal any more.
	function stop() {
		callOff();
		program.stdout.off('error', fail);
		for (const name of ['SIGINT', 'SIGTERM'] as const) program.off(name, interrupt);
	}
	function interrupt() {
		stop();
		ending.abort(new Interrupted('interrupted'));
	}
	function fail({ code, message }: NodeJS.ErrnoException) {
		ending.abort(code === 'EPIPE' ? new BrokenPipe(message) : outputError(message));
	}
	function startTimer() {
		if (seconds === undefined) return () => {};
		return clock.after(seconds * 1000, () => ending.abort(new TimedOut(seconds)));
	}

	for (const name of ['SIGINT', 'SIGTERM'] as const) program.on(name, interrupt);
	program.stdout.on('error', fail);
	return {
		signal,
		interrupt,
		async untimed(work) {
			callOff();
			try {
				return await work();
			} finally {
				callOff = startTimer();
			}
		},
		stop,
	};
}

function outputError(message: string): CommandError {
	return new CommandError('output', `the output cannot be written: ${message}`, '');
}
