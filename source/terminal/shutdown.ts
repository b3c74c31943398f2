import { constants } from 'node:os';
import type { Clock } from '../fleet/clock.ts';

/** The reason why the program ends. */
export type Ending =
	| { kind: 'quit' }
	/** By a signal other than SIGHUP. */
	| { kind: 'signal'; signal: NodeJS.Signals }
	/** The terminal is gone (SIGHUP, EIO, EPIPE), so nothing can be shown. */
	| { kind: 'gone' }
	/** By an error that nothing caught. */
	| { kind: 'failed'; error: unknown };

/** The parts of Node's process that the terminal needs. Only main.ts has the real one. */
export type Program = Pick<
	NodeJS.Process,
	| 'stdin'
	| 'stdout'
	| 'stderr'
	| 'env'
	| 'platform'
	| 'pid'
	| 'on'
	| 'off'
	| 'listeners'
	| 'kill'
	| 'exit'
> & {
	/** What dependencies print with. */
	console?: Pick<Console, ConsoleMethod>;
};

export type ConsoleMethod = 'log' | 'info' | 'debug' | 'warn' | 'error' | 'trace';

export type ShutdownOptions = {
	program: Program;
	clock: Clock;
	/** Gives the screen back, whatever state it is in. Must be done when it returns. */
	giveBack: (ending: Ending | undefined) => unknown;
	beforeExit: ((ending: Ending) => void | Promise<void>) | undefined;
	/** Whether another program has the terminal: then Ctrl-C is meant for it. */
	isLent?: () => boolean;
	/** Resolves when the terminal has answered all queries. */
	repliesDone?: () => Promise<void>;
};

export type Shutdown = {
	/** From here on every way out of the process calls `giveBack`. */
	install(): void;
	end(ending: Ending): Promise<never>;
};

/** `beforeExit` may take this long. */
const maxShutdownTime = 1000;

const terminatingSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/**
 * Leads all ways out of the process through one place:
 *
 *    quit, signal, hang-up, bug ──► give back the screen ──► beforeExit, replies ──► exit
 *                                                             at most a second; a second signal
 *                                                             or bug exits at once
 *
 * The function is long because its parts share whether the program is ending.
 */
export function createShutdown(options: ShutdownOptions): Shutdown {
	const { program, clock, giveBack, beforeExit, repliesDone: answersOver } = options;
	let isEnding = false;

	function begin(ending: Ending): void {
		if (isEnding) {
			// A second signal, or a bug while ending, stops the waiting.
			if (ending.kind !== 'quit') exit(ending);
			return;
		}
		isEnding = true;
		giveBack(ending);
		clock.after(maxShutdownTime, () => exit(ending));
		Promise.resolve(ending)
			.then(() => Promise.allSettled([beforeExit?.(ending), answersOver?.()]))
			.then(
				() => exit(ending),
				() => exit(ending),
			);
	}

	function exit(ending: Ending) {
		if (ending.kind === 'gone') {
			// At exit Node restores the terminal, and aborts with a core dump if it is gone. A signal without a
			// handler ends the process without that.
			program.off('SIGHUP', onHangup);
			program.kill(program.pid, 'SIGHUP');
			clock.after(100, () => program.kill(program.pid, 'SIGKILL'));
			return;
		}
		giveBack(undefined);
		// An unhandled SIGQUIT would leave a core dump, too.
		if (ending.kind !== 'signal' || ending.signal === 'SIGQUIT') {
			program.exit(codeOf(ending));
			return;
		}
		// End by the signal itself, so that the parent process sees it.
		for (const signal of terminatingSignals) program.off(signal, onSignal);
		program.kill(program.pid, ending.signal);
		clock.after(100, () => program.exit(codeOf(ending)));
	}

	function onHangup() {
		begin({ kind: 'gone' });
	}

	function onSignal(signal: NodeJS.Signals) {
		if (signal === 'SIGINT' && options.isLent?.()) return;
		begin({ kind: 'signal', signal });
	}

	return {
		end(ending) {
			begin(ending);
			return new Promise(() => {});
		},
		install() {
			for (const signal of terminatingSignals) program.on(signal, onSignal);
			program.on('SIGHUP', onHangup);
			program.on('uncaughtException', error => begin({ kind: 'failed', error }));
			program.on('unhandledRejection', error => begin({ kind: 'failed', error }));
			program.on('exit', () => giveBack(undefined));
			const onError = (error: NodeJS.ErrnoException) => {
				if (isHangup(error)) begin({ kind: 'gone' });
				else begin({ kind: 'failed', error });
			};
			program.stdout.on('error', onError);
			program.stdin.on('error', onError);
			program.stdin.on('end', () => begin({ kind: 'gone' }));
		},
	};
}

const isHangup = ({ code }: NodeJS.ErrnoException) =>
	code === 'EIO' || code === 'EPIPE' || code === 'ENXIO' || code === 'EBADF';

function codeOf(ending: Ending): number {
	if (ending.kind === 'signal') return 128 + constants.signals[ending.signal];
	return ending.kind === 'failed' ? 1 : 0;
}
