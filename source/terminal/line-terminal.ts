import { type Activity, createActivity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { bell } from './features/escape-sequences.ts';
import type { TerminalState } from './features/terminal-state.ts';
import { createInput } from './input/input.ts';
import { createIdleMarks, type IdleMarker } from './process/idle-marks.ts';
import {
	createJobControl,
	createSuspendEvents,
	type LentWork,
	type SuspendEvents,
} from './process/job-control.ts';
import { createShutdown, type Ending, type Program, reportCrash } from './process/shutdown.ts';
import { createInputEvents, createKeyGate, type TerminalInput } from './process/streams.ts';
import { createTty, writeSynchronously } from './process/tty.ts';

type LineTerminalOptions = {
	program: Program;
	clock: Clock;
	activity?: Activity | undefined;
	hasUnicode: boolean;
	crashReportFolder: string;
	/** Without secrets. */
	programInfo: string;
	/** After the terminal was given back. It may take one second. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
	/** The last step before the process ends, which cannot wait for anything. */
	atExit?: () => void;
};

/** What a person types, below the lines. */
export type TypedField = { id: string; prompt: string; typed: string };

/**
 * A terminal to which lines are only added. Only printable characters, line breaks and the bell are
 * written, so that a screen reader or a braille display can follow from top to bottom.
 */
export type LineTerminal = SuspendEvents & {
	onInput(callback: (input: TerminalInput) => void): () => void;
	/** However the program ends, the terminal is given back. */
	open(): void;
	end(ending: Ending): Promise<never>;
	suspend(): void;
	/** Adds whole lines, above the field. */
	say(lines: readonly string[]): void;
	/** Adds new letters to the field. After a letter was erased, the rest is written as a new line. */
	type(field: TypedField | undefined): void;
	ringBell(): void;
	isKeyAlone(): boolean;
	isEscapePending(): boolean;
	lend(work: LentWork): Promise<void>;
	state(): TerminalState;
	onStateChange(callback: () => void): () => void;
	redraw(): void;
	setTitle(): void;
	notify(text: string): void;
};

const stateOfLines: TerminalState = {
	isFocused: true,
	reportsFocus: false,
	isLowBandwidth: false,
	colourBits: 0,
	background: 'dark',
	hasUnicode: false,
	name: undefined,
};

/** A terminal with more unwritten output has stopped reading, so further text is dropped. */
const maxUnwrittenBytes = 262_144;

export function createLineTerminal(options: LineTerminalOptions): LineTerminal & IdleMarker {
	const {
		program,
		clock,
		crashReportFolder: folder,
		programInfo,
		activity = createActivity(),
	} = options;
	const { stdout, stderr } = program;
	const { suspended, resumed, events } = createSuspendEvents();
	const idle = createIdleMarks(activity, print);
	const inputs = createInputEvents();
	const gate = createKeyGate(activity.wrapClock(clock));
	let isKeyAlone = true;
	const receive = createInput({
		clock,
		activityClock: activity.wrapClock(clock),
		hasPasteMarks: false,
		onReport() {},
		onKey(key, isAlone) {
			isKeyAlone = isAlone;
			if (gate.lets({ key })) inputs.notify({ key });
		},
		onPaste(paste) {
			if (gate.lets({ paste })) inputs.notify({ paste });
		},
	});
	const tty = createTty(program, idle.reading(receive), '');
	const shutdown = createShutdown({
		program,
		clock,
		giveBackTerminal: giveBack,
		beforeExit: options.beforeExit,
		atExit: options.atExit,
		ignoresInterrupts: () => job.ignoresInterrupts(),
	});
	const job = createJobControl({
		program,
		clock,
		giveBackTerminal: () => giveBack(undefined),
		retakeTerminal() {
			// A program cannot react to SIGSTOP, so its current line is not ended. The line goes on when the program
			// continues.
			const wasTaken = tty.isTaken();
			if (wasTaken) tty.giveBack('');
			tty.take('');
			if (!wasTaken) resumed();
		},
		leftoverResets: '',
	});
	let isLineBegun = false;
	let field: TypedField | undefined;

	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = tty.isTaken();
		if (wasTaken) {
			suspended();
			tty.giveBack(isLineBegun ? '\n' : '');
			isLineBegun = false;
		}
		if (ending?.kind === 'bug') {
			const { error } = ending;
			writeSynchronously(
				stderr.fd,
				reportCrash({ folder, crashedAt: clock.now(), programInfo, error }),
			);
		}
		return wasTaken;
	}

	function print(text: string) {
		if (tty.isTaken() && stdout.writableLength < maxUnwrittenBytes) stdout.write(text, gate.open);
	}

	function write(text: string) {
		const shown = options.hasUnicode ? text : text.replace(/[^\x20-\x7e]/gu, '?');
		const clean = shown.replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
		if (clean === '') return;
		isLineBegun = true;
		print(clean);
	}

	function endLine() {
		isLineBegun = false;
		print('\n');
	}

	function writeField() {
		if (field) write(`${field.prompt} ${field.typed}`);
	}

	return {
		onInput: inputs.subscribe,
		open() {
			shutdown.install();
			job.install();
			tty.take('');
		},
		end: shutdown.end,
		suspend: job.suspend,
		say(lines) {
			if (lines.length === 0) return;
			if (field) endLine();
			for (const line of lines) {
				write(line);
				endLine();
			}
			writeField();
		},
		type(next) {
			const before = field;
			field = next;
			if (before && next && before.id === next.id && next.typed.startsWith(before.typed)) {
				write(next.typed.slice(before.typed.length));
				return;
			}
			if (before) endLine();
			writeField();
		},
		ringBell: () => print(bell),
		isKeyAlone: () => isKeyAlone,
		isEscapePending: receive.isEscapePending,
		...events,
		markWhenIdle: idle.markWhenIdle,
		state: () => stateOfLines,
		onStateChange: () => () => {},
		redraw() {},
		setTitle() {},
		// The text of what happens is among the lines, so the bell is enough.
		notify: () => print(bell),
		lend: work =>
			job.lend(work, () => {
				tty.take('');
				resumed();
			}),
	};
}
