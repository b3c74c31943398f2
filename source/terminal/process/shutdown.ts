import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Clock } from '../../foundation/clock.ts';
import { makeFolder } from '../../foundation/make-folder.ts';
import { cleanForTerminal } from '../features/escape-sequences.ts';

export type Ending =
	| { kind: 'quit' }
	/** The program received a signal other than SIGHUP. */
	| { kind: 'signal'; signal: NodeJS.Signals }
	/** The terminal is gone (EIO, EPIPE), or is said to be (SIGHUP), so nothing more is shown. */
	| { kind: 'terminalGone' }
	| { kind: 'bug'; error: unknown };

/** Only main.ts passes the real process. */
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
	console?: Pick<Console, ConsoleMethod>;
	/** Answers without opening the input, which would take longer than loading the HTTP client. */
	isInputTerminal?: () => boolean;
	/** Returns an empty text if it fails. */
	stty?: (argument: string) => string;
};

export type ConsoleMethod = 'log' | 'info' | 'debug' | 'warn' | 'error' | 'trace';

type ShutdownOptions = {
	program: Program;
	clock: Clock;
	/** `ending` is undefined if the process is already exiting. */
	giveBackTerminal: (ending: Ending | undefined) => unknown;
	beforeExit: ((ending: Ending) => void | Promise<void>) | undefined;
	/** Called possibly twice. */
	atExit?: (() => void) | undefined;
	ignoresInterrupts?: () => boolean;
	waitForReplies?: () => Promise<void>;
};

type Shutdown = {
	/** From then on `giveBackTerminal` is called however the process ends. */
	install(): void;
	end(ending: Ending): Promise<never>;
};

/** The program then exits even if `beforeExit` has not finished. */
const maxShutdownMs = 1000;

const terminatingSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGUSR2'] as const;

/** Without a handler, these signals would leave a core dump. */
const dumpingSignals: readonly NodeJS.Signals[] = ['SIGQUIT', 'SIGABRT'];

/**
 *    quit, signal, hang-up, bug ──► give back the screen ──► beforeExit, replies ──► exit
 *
 * The last step comes after at most a second; a second signal or bug exits at once. `atExit` is called in every case.
 */
export function createShutdown(options: ShutdownOptions): Shutdown {
	const { program, clock, giveBackTerminal: giveBack, beforeExit, waitForReplies } = options;
	let isEnding = false;
	let isGone = false;

	function begin(ending: Ending): void {
		if (ending.kind === 'terminalGone') isGone = true;
		if (isEnding) {
			// A second signal, or a bug while ending, stops the waiting.
			if (ending.kind === 'signal' || ending.kind === 'bug') exit(ending);
			return;
		}
		isEnding = true;
		giveBack(ending);
		clock.after(maxShutdownMs, () => exit(ending));
		Promise.resolve(ending)
			.then(() => Promise.allSettled([beforeExit?.(ending), waitForReplies?.()]))
			.then(
				() => exit(ending),
				() => exit(ending),
			);
	}

	function exit(ending: Ending) {
		options.atExit?.();
		if (isGone) {
			// At a normal exit Node restores the terminal, and aborts with a core dump if the terminal is gone.
			// A signal without a handler ends the process without that step.
			program.off('SIGHUP', onHangup);
			program.kill(program.pid, 'SIGHUP');
			clock.after(100, () => program.kill(program.pid, 'SIGKILL'));
			return;
		}
		giveBack(undefined);
		if (ending.kind !== 'signal' || dumpingSignals.includes(ending.signal)) {
			program.exit(exitCodeOf(ending));
			return;
		}
		// The process ends by the signal itself, so that its parent can see the reason.
		for (const signal of terminatingSignals) program.off(signal, onSignal);
		program.kill(program.pid, ending.signal);
		clock.after(100, () => program.exit(exitCodeOf(ending)));
	}

	function onHangup() {
		begin({ kind: 'terminalGone' });
	}

	function onSignal(signal: NodeJS.Signals) {
		if (signal === 'SIGINT' && options.ignoresInterrupts?.()) return;
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
			program.on('uncaughtException', error => begin({ kind: 'bug', error }));
			program.on('unhandledRejection', error => begin({ kind: 'bug', error }));
			program.on('exit', () => {
				giveBack(undefined);
				options.atExit?.();
			});
			const onError = (error: NodeJS.ErrnoException) => {
				if (isHangup(error)) begin({ kind: 'terminalGone' });
				else begin({ kind: 'bug', error });
			};
			program.stdout.on('error', onError);
			program.stdin.on('error', onError);
			program.stdin.on('end', () => begin({ kind: 'terminalGone' }));
		},
	};
}

const isHangup = ({ code }: NodeJS.ErrnoException) =>
	code === 'EIO' || code === 'EPIPE' || code === 'ENXIO' || code === 'EBADF';

function exitCodeOf(ending: Ending): number {
	if (ending.kind === 'signal') return 128 + constants.signals[ending.signal];
	return ending.kind === 'bug' ? 1 : 0;
}

type CrashReport = {
	folder: string;
	crashedAt: number;
	programInfo: string;
	error: unknown;
};

function writeCrashReport({
	folder,
	crashedAt,
	programInfo,
	error,
}: CrashReport): string | undefined {
	const time = new Date(crashedAt).toISOString();
	const file = join(folder, `crash-${time.replace(/[:.]/g, '-')}.txt`);
	const text = `${time}\n${programInfo}\n\n${inspect(error, { depth: 5 })}\n`;
	try {
		makeFolder(folder);
		writeFileSync(file, text, { mode: 0o600 });
		return file;
	} catch {
		return undefined;
	}
}

export function reportCrash(report: CrashReport): string {
	const { error } = report;
	const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
	const file = writeCrashReport(report);
	const where = file ? `The crash report is in ${file}` : 'No crash report could be written.';
	return `crowsnest stopped because of a bug: ${message}\n${where}\n`;
}
