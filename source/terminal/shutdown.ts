import { constants } from 'node:os';
import type { Clock } from '../fleet/clock.ts';

/** Why the program ends. */
export type Ending =
	| { kind: 'quit' }
	/** A signal other than a hang-up asked for it. */
	| { kind: 'signal'; signal: NodeJS.Signals }
	/** The terminal is gone: SIGHUP, EIO or EPIPE. Nothing can be shown any more. */
	| { kind: 'gone' }
	/** A bug. */
	| { kind: 'failed'; error: unknown };

/** What of Node's process the terminal needs. Only main.ts has the real one. */
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
	/** Gives the screen back, whatever state it is in; has to be done when it returns. */
	giveBack: (ending: Ending | undefined) => unknown;
	beforeExit: ((ending: Ending) => void | Promise<void>) | undefined;
	/** Whether somebody else has the terminal: then Ctrl-C is meant for them. */
	isLent?: () => boolean;
	/** Resolves when the terminal has said all that it was asked. */
	repliesDone?: () => Promise<void>;
};

export type Shutdown = {
	/** From here on no way out of the process goes past `giveBack`. */
	watch(): void;
	end(ending: Ending): Promise<never>;
};

/** How long whatever is to be finished may take. */
const maxShutdownTime = 1000;

const terminatingSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** All ways out of the process, led through one place. */
export function createShutdown(options: ShutdownOptions): Shutdown {
	const { program, clock, giveBack, beforeExit, repliesDone: answersOver } = options;
	let isEnding = false;

	function begin(ending: Ending): void {
		if (isEnding) {
			// Asked a second time, or failing on the way out: no more waiting.
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
			// On its way out Node would set the terminal back, and breaks off with a picture of the memory
			// when there is none any more. A signal that nobody handles ends it without that.
			program.off('SIGHUP', onHangup);
			program.kill(program.pid, 'SIGHUP');
			clock.after(100, () => program.kill(program.pid, 'SIGKILL'));
			return;
		}
		giveBack(undefined);
		// SIGQUIT would leave such a picture behind, too.
		if (ending.kind !== 'signal' || ending.signal === 'SIGQUIT') {
			program.exit(codeOf(ending));
			return;
		}
		// Whoever started it shall see that it was the signal.
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
		watch() {
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
