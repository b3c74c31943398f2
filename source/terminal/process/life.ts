import { constants } from 'node:os';
import { type Activity, createActivity } from '../../foundation/activity.ts';
import type { Clock } from '../../foundation/clock.ts';
import { createListeners } from '../../foundation/listeners.ts';
import { environmentFrom } from '../features/environment.ts';
import { createInput } from '../input/input.ts';
import type { TerminalReport } from '../input/reports.ts';
import { reportCrash } from './crash-report.ts';
import { createIdleMarks } from './idle-marks.ts';
import { createErrorStream, setBlocking, writeSynchronously } from './streams.ts';

type TerminalInput = { key: string } | { paste: string };

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
	console?: Console;
	/** Answers without opening the input, which would take longer than loading the HTTP client. */
	isInputTerminal?: () => boolean;
	stty?: (argument: string) => string;
};

export type Ending =
	| { kind: 'quit' }
	/** The program received a signal other than SIGHUP. */
	| { kind: 'signal'; signal: NodeJS.Signals }
	/** The terminal is gone (EIO, EPIPE), or is said to be (SIGHUP), so nothing more is shown. */
	| { kind: 'terminalGone' }
	| { kind: 'bug'; error: unknown };

export type LifeOptions = {
	program: Program;
	clock: Clock;
	activity?: Activity | undefined;
	crashReportFolder: string;
	/** Without secrets. */
	programInfo: string;
	/** After the terminal was given back. It may take one second. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
	/** The last step before the process ends, which cannot wait for anything. It may be called twice. */
	atExit?: () => void;
};

/** What differs between a terminal that is drawn on and one to which lines are added. */
type Face = {
	onTaken(): void;
	onGivenBack(): string;
	onReport?(report: TerminalReport): void;
	onStall?(isStalled: boolean): void;
	beforeInput?(): void;
	hasPasteMarks: boolean;
	leftoverResets: string;
	/** Replies of the terminal that the shell would read as typed keys. */
	replies?: { areAwaited: () => boolean; haveCome: () => Promise<void> };
};

/** A program that is killed leaves the terminal as it was, perhaps raw, so the work may call `restore`. */
export type LentWork = (restore: () => void) => Promise<void>;

/** Events around the time in which the shell (after Ctrl-Z) or another program has the terminal. */
export type SuspendEvents = {
	onSuspend(callback: () => void): () => void;
	onResume(callback: () => void): () => void;
};

/** A terminal with more unwritten output than this has stopped reading, so more is dropped. */
const maxUnwrittenBytes = 262_144;

/** A terminal may claim any size. A larger screen than this would cost time and memory, and nobody could see it. */
const [maxColumns, maxRows] = [1_000, 500];

/** A process that receives SIGTSTP has stopped within this time. */
const stopDeadlineMs = 50;

// Ctrl-C reaches both programs: Node may report the end of the other one first, and SIGINT within this time.
const maxInterruptDelayMs = 500;

/** The program then exits even if `beforeExit` has not finished. */
const maxShutdownMs = 1000;

const terminatingSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGUSR2'] as const;

/** Without a handler, these signals would leave a core dump. */
const dumpingSignals: readonly NodeJS.Signals[] = ['SIGQUIT', 'SIGABRT'];

/**
 * The life of a program in a terminal, which it takes and gives back only here:
 *
 *    open ──► take ──► give back ──┬─ Ctrl-Z, SIGTSTP: stopped ── SIGCONT ──► take
 *                                  ├─ lent to another program ── its end ───► take
 *                                  └─ quit, signal, hang-up, bug ──► beforeExit, replies ──► exit
 *
 * The exit comes after at most a second; a second signal or bug exits at once. `atExit` is called in every case.
 */
export function createTerminalLife(options: LifeOptions, face: Face) {
	const { program, clock, activity = createActivity() } = options;
	const { stdin, stdout, stderr } = program;
	const suspended = createListeners();
	const resumed = createListeners();
	const inputs = createListeners<TerminalInput>();
	const errors = createErrorStream(stderr, () => isTaken);
	const idle = createIdleMarks(activity, write);
	const gate = createKeyGate(activity.wrapClock(clock));
	const receive = createInput({
		clock,
		activityClock: activity.wrapClock(clock),
		hasPasteMarks: face.hasPasteMarks,
		onReport: report => face.onReport?.(report),
		onStall: isStalled => face.onStall?.(isStalled),
		onKey(key, isAlone) {
			isKeyAlone = isAlone;
			passOn({ key });
		},
		onPaste: paste => passOn({ paste }),
	});
	let isTaken = false;
	let isReading = false;
	let isKeyAlone = true;
	let isEnding = false;
	let isGone = false;
	let ignoresInterrupts = false;
	let cancelInterruptWait = () => {};

	function read(bytes: Uint8Array | string) {
		const endRead = idle.beginRead(bytes);
		receive(bytes);
		endRead();
	}

	function passOn(input: TerminalInput) {
		// While the program ends, it reads only the last replies of the terminal and drops keys.
		if (!isTaken || !gate.lets(input)) return;
		face.beforeInput?.();
		inputs.notify(input);
	}

	function write(text: string, onTaken?: () => void) {
		if (isTaken && stdout.writableLength < maxUnwrittenBytes) stdout.write(text, onTaken);
	}

	function sendFrame(frame: string, onTaken: () => void) {
		const end = activity.begin();
		stdout.write(frame, () => {
			onTaken();
			end();
		});
	}

	function take() {
		isTaken = true;
		setBlocking(stdout, false);
		// Raw mode comes first, so that no key is echoed onto the screen.
		stdin.setRawMode(true);
		if (!isReading) stdin.on('data', read);
		isReading = true;
		stdin.resume();
		face.onTaken();
		resumed.notify();
	}

	function giveBack(keepsReading = false): boolean {
		const wasTaken = isTaken;
		if (isTaken) {
			suspended.notify();
			isTaken = false;
			writeSynchronously(stdout.fd, face.onGivenBack());
			setBlocking(stdout, true);
		}
		if (isReading && !keepsReading) {
			isReading = false;
			stdin.off('data', read);
			stdin.pause();
			stdin.setRawMode(false);
		}
		errors.printKept();
		return wasTaken;
	}

	function suspend() {
		if (!giveBack()) return;
		program.off('SIGTSTP', suspend);
		// Stop the whole process group: a parent that still runs would keep the shell waiting.
		program.kill(0, 'SIGTSTP');
		// For a process that could not be stopped.
		clock.after(stopDeadlineMs, () => {
			if (!isTaken) resume();
		});
	}

	function resume() {
		if (isEnding) return;
		program.off('SIGTSTP', suspend);
		program.on('SIGTSTP', suspend);
		// A program that was stopped without a warning still believes that it has the terminal.
		giveBack();
		take();
		// A stopped program misses resizes. This signal makes Node ask for the size.
		program.kill(program.pid, 'SIGWINCH');
	}

	/** SIGINT is meant for a program that has the terminal, or had it a moment ago. */
	async function lend(work: LentWork) {
		program.off('SIGTSTP', suspend);
		program.off('SIGCONT', resume);
		giveBack();
		cancelInterruptWait();
		ignoresInterrupts = true;
		const settings = program.stty?.('-g');
		const restore = () => {
			if (settings) program.stty?.(settings);
			writeSynchronously(stdout.fd, face.leftoverResets);
		};
		try {
			await work(restore);
		} finally {
			restore();
			cancelInterruptWait = clock.after(maxInterruptDelayMs, () => {
				ignoresInterrupts = false;
			});
			program.on('SIGTSTP', suspend);
			program.on('SIGCONT', resume);
			take();
		}
	}

	function begin(ending: Ending): void {
		const isHangup = ending.kind === 'terminalGone';
		isGone ||= isHangup;
		if (isEnding) {
			// A second signal, or a bug while ending, stops the waiting.
			if (ending.kind === 'signal' || ending.kind === 'bug') exit(ending);
			return;
		}
		isEnding = true;
		giveBack(!isHangup && face.replies?.areAwaited());
		if (ending.kind === 'bug') writeSynchronously(stderr.fd, crashText(ending.error));
		clock.after(maxShutdownMs, () => exit(ending));
		const beforeExit = Promise.resolve(ending).then(options.beforeExit);
		void Promise.allSettled([beforeExit, face.replies?.haveCome()]).then(() => exit(ending));
	}

	function crashText(error: unknown): string {
		const { columns, rows } = size();
		return reportCrash({
			folder: options.crashReportFolder,
			crashedAt: clock.now(),
			programInfo: `${options.programInfo}\n${environmentFrom(program.env).terminalName} ${columns}×${rows}`,
			error,
		});
	}

	function size() {
		const [columns, rows] = stdout.getWindowSize();
		return {
			columns: Math.min(columns || 80, maxColumns),
			rows: Math.min(rows || 24, maxRows),
		};
	}

	function exit(ending: Ending) {
		options.atExit?.();
		if (isGone) {
			// At a normal exit, Node aborts with a core dump if the terminal is gone; a signal skips that step.
			program.off('SIGHUP', onHangup);
			program.kill(program.pid, 'SIGHUP');
			clock.after(100, () => program.kill(program.pid, 'SIGKILL'));
			return;
		}
		giveBack();
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
		if (signal !== 'SIGINT' || !ignoresInterrupts) begin({ kind: 'signal', signal });
	}

	function onStreamError(error: NodeJS.ErrnoException) {
		const isHangup = /^(EIO|EPIPE|ENXIO|EBADF)$/.test(error.code ?? '');
		begin(isHangup ? { kind: 'terminalGone' } : { kind: 'bug', error });
	}

	return {
		open() {
			errors.redirect(program);
			for (const signal of terminatingSignals) program.on(signal, onSignal);
			program.on('SIGHUP', onHangup);
			program.on('uncaughtException', error => begin({ kind: 'bug', error }));
			program.on('unhandledRejection', error => begin({ kind: 'bug', error }));
			program.on('exit', () => {
				giveBack();
				options.atExit?.();
			});
			stdout.on('error', onStreamError);
			stdin.on('error', onStreamError);
			stdin.on('end', onHangup);
			program.on('SIGTSTP', suspend);
			program.on('SIGCONT', resume);
			take();
		},
		/** Never resolves. After a bug, a crash report is written, and its path printed. */
		async end(ending: Ending): Promise<void> {
			begin(ending);
			await new Promise(() => {});
		},
		suspend,
		/** The output of the program that it is lent to stays on the normal screen. */
		lend,
		onSuspend: suspended.subscribe,
		onResume: resumed.subscribe,
		onInput: inputs.subscribe,
		/** Whether the key that is being handled came in a read of its own. */
		isKeyAlone: () => isKeyAlone,
		/** Whether an escape character has arrived that may be the Esc key or the start of a sequence. */
		isEscapePending: receive.isEscapePending,
		isTaken: () => isTaken,
		write,
		sendFrame,
		onShown: gate.open,
		markWhenIdle: idle.markWhenIdle,
		stderr: errors.stream,
		size,
	};
}

function exitCodeOf(ending: Ending): number {
	if (ending.kind === 'signal') return 128 + constants.signals[ending.signal];
	return ending.kind === 'bug' ? 1 : 0;
}

const interrupt = 'ctrl-c';

/** A key this soon after a dropped one belongs to what was being typed. */
const typingPauseMs = 300;

/** Drops what was typed before the first frame, and what follows it without a pause: its rest may come with the first read. */
function createKeyGate(clock: Clock) {
	let state: 'closed' | 'opening' | 'open' = 'closed';
	let droppedAt = -Infinity;
	const finish = () => {
		state = 'open';
	};
	return {
		lets(input: TerminalInput) {
			if ('key' in input && input.key === interrupt) return true;
			const now = clock.monotonic();
			if (state === 'open' && now - droppedAt >= typingPauseMs) return true;
			droppedAt = now;
			return false;
		},
		open() {
			if (state !== 'closed') return;
			state = 'opening';
			clock.after(0, () => clock.after(0, finish));
		},
	};
}
