import type { Program } from '../terminal/terminal.ts';
import { Interrupted } from './command.ts';
import { CommandError } from './list-failure.ts';

/** Nobody reads the output any more, as when `head` has seen enough. */
export class BrokenPipe extends Error {}

/** The ways in which a command is ended from outside; the reason of the signal tells which. */
export function watchForEnd(program: Program): { signal: AbortSignal; stop(): void } {
	const ending = new AbortController();
	const { signal } = ending;

	// Asked a second time, it ends as any program does.
	function stop() {
		for (const name of ['SIGINT', 'SIGTERM'] as const) program.off(name, interrupt);
	}
	function interrupt() {
		stop();
		ending.abort(new Interrupted('interrupted'));
	}

	for (const name of ['SIGINT', 'SIGTERM'] as const) program.on(name, interrupt);
	// Stays to the end of the process: what was written before may still meet a closed pipe.
	program.stdout.on('error', (error: NodeJS.ErrnoException) => {
		const { code, message } = error;
		ending.abort(code === 'EPIPE' ? new BrokenPipe(message) : outputError(message));
	});
	return { signal, stop };
}

function outputError(message: string): CommandError {
	return new CommandError('output', `the output cannot be written: ${message}`, '');
}
