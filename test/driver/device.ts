import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { Terminal as Emulator, type IBufferCell } from '@xterm/headless';
import type { Clock } from '../../source/foundation/clock.ts';
import type { Program } from '../../source/terminal/terminal.ts';

export type Device = ReturnType<typeof createDevice>;

export type DeviceOptions = {
	env?: Readonly<Record<string, string>> | undefined;
	/** The file that receives the direct writes with which the program leaves the screen. Without it, they are dropped. */
	fd?: number | undefined;
};

/**
 * Imitates a process in a terminal. The program writes to a real emulator, and reads what the emulator
 * answers and what the test types. Only the operating system is left out.
 */
export function createDevice(
	[columns, rows]: readonly [number, number],
	clock: Clock,
	{ env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' }, fd = -1 }: DeviceOptions = {},
) {
	const emulator = new Emulator({
		cols: columns,
		rows,
		allowProposedApi: true,
		scrollback: 0,
		windowOptions: { pushTitle: true, popTitle: true },
	});
	const stdin = Object.assign(new EventEmitter(), {
		isTTY: true,
		setRawMode() {},
		setEncoding() {},
		resume() {},
		pause() {},
	});
	let written = '';
	let pendingWrites = 0;
	/** The writes that a stalled line holds back; undefined while the line is not stalled. */
	let stalledWrites: { text: string; onWritten: (() => void) | undefined }[] | undefined;

	const stdout = Object.assign(new EventEmitter(), {
		isTTY: true,
		writableLength: 0,
		fd,
		getWindowSize: () => [emulator.cols, emulator.rows],
		write(text: string, onWritten?: () => void) {
			if (stalledWrites) stalledWrites.push({ text, onWritten });
			else deliver(text, onWritten);
			return true;
		},
	});

	function deliver(text: string, onWritten: (() => void) | undefined) {
		written += text;
		pendingWrites += 1;
		// The emulator delays output with a timer, except just after a key, and an empty key is enough.
		emulator.input('');
		emulator.write(text, () =>
			queueMicrotask(() => {
				pendingWrites -= 1;
				onWritten?.();
			}),
		);
	}

	let reportedSize = `${columns}×${rows}`;

	/** On SIGWINCH, Node emits a resize if the size has changed. */
	function reportSize() {
		const size = `${emulator.cols}×${emulator.rows}`;
		if (size === reportedSize) return;
		reportedSize = size;
		stdout.emit('resize');
	}

	const life = new EventEmitter();
	const exits: number[] = [];
	const resumedCalls: (() => void)[] = [];
	let isStopped = false;
	const program = Object.assign(life, {
		stdin,
		stdout,
		stderr: stdout,
		env: { ...env },
		platform: 'linux',
		pid: 1,
		kill(_: number, signal: NodeJS.Signals) {
			if (signal === 'SIGTSTP') {
				isStopped = true;
				// The emulator is reset here, because the program resets the screen with a direct write, which the
				// emulator does not see.
				emulator.write('\u001B[?1049l');
			}
			if (signal === 'SIGWINCH') reportSize();
			return true;
		},
		exit: (code: number) => exits.push(code),
	});
	const send = (text: string) => stdin.emit('data', text);
	emulator.onData(answer => {
		if (answer !== '') send(answer);
	});

	const colouredLines = () => linesOf(emulator).map((_, y) => colouredText(cellsOf(emulator, y)));

	return {
		program: program as unknown as Program,
		emulator,
		send,
		exits,
		isDrawing: () => pendingWrites > 0,
		isStopped: () => isStopped,
		/** Holds back all writes until `endStall`. */
		stall() {
			stalledWrites ??= [];
		},
		/** The number of frames that a stalled line holds back. */
		stalledFrames: () =>
			stalledWrites?.filter(({ onWritten }) => onWritten !== undefined).length ?? 0,
		/** Delivers the writes that the stalled line held back. */
		endStall() {
			const waiting = stalledWrites ?? [];
			stalledWrites = undefined;
			for (const { text, onWritten } of waiting) deliver(text, onWritten);
		},
		/** Returns everything that the program has written so far. */
		written: () => written,
		/** A clock whose timers, if they fall due while the process is stopped, fire when the process continues. */
		clock: {
			now: clock.now,
			monotonic: clock.monotonic,
			after: (milliseconds: number, call: () => void) =>
				clock.after(milliseconds, () => {
					if (isStopped) resumedCalls.push(call);
					else call();
				}),
		} satisfies Clock,
		/** Continues the stopped process, as `fg` does. */
		continue() {
			isStopped = false;
			life.emit('SIGCONT');
			for (const call of resumedCalls.splice(0)) call();
		},
		resize(nextColumns: number, nextRows: number) {
			emulator.resize(nextColumns, nextRows);
			if (!isStopped) reportSize();
		},
		lines: () => linesOf(emulator),
		/** The lines with an escape sequence before each change of colour. */
		colouredLines,
		/** The first of these lines that contains the text. */
		colouredLine: (text: string) =>
			colouredLines().find(line => stripVTControlCharacters(line).includes(text)) ?? '',
		/** Effects of the program other than drawing: titles, copied text, notifications and bells. */
		effects: recordEffects(emulator),
	};
}

/** Returns the lines on the screen of an emulator. */
export const linesOf = ({ buffer: { active }, rows, cols }: Emulator): readonly string[] =>
	Array.from(
		{ length: rows },
		(_, y) =>
			active
				.getLine(active.baseY + y)
				?.translateToString(true, 0, cols)
				.trimEnd() ?? '',
	);

/** Returns the cells of a line that begin a character. */
export const cellsOf = (
	{ buffer: { active }, cols }: Emulator,
	y: number,
): readonly IBufferCell[] =>
	Array.from({ length: cols }).flatMap((_, x) => {
		const cell = active.getLine(active.baseY + y)?.getCell(x);
		return cell && cell.getWidth() > 0 ? [cell] : [];
	});

function colouredText(cells: readonly IBufferCell[]): string {
	let [written, colour] = ['', ''];
	for (const cell of cells) {
		const glyph = cell.getChars() || ' ';
		// The colour of a blank is invisible, so the program does not change it.
		const next = glyph === ' ' ? colour : colourOf(cell);
		written += next === colour ? glyph : `${next}${glyph}`;
		colour = next;
	}
	return written;
}

function colourOf(cell: IBufferCell): string {
	if (!cell.isFgPalette()) return '\u001B[39m';
	const number = cell.getFgColor();
	if (number < 8) return `\u001B[${30 + number}m`;
	return number < 16 ? `\u001B[${82 + number}m` : `\u001B[38;5;${number}m`;
}

function recordEffects(emulator: Emulator) {
	const [titles, copied, notified]: [string[], string[], string[]] = [[], [], []];
	const effects = { titles, copied, notified, bells: 0 };
	emulator.onTitleChange(title => titles.push(title));
	emulator.onBell(() => {
		effects.bells += 1;
	});
	emulator.parser.registerOscHandler(52, content => {
		copied.push(Buffer.from(content.replace(/^c;/, ''), 'base64').toString('utf8'));
		return true;
	});
	emulator.parser.registerOscHandler(9, text => {
		notified.push(text);
		return true;
	});
	return effects;
}
