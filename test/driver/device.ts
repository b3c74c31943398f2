import { EventEmitter } from 'node:events';
import { Terminal as Emulator, type IBufferCell, type IBufferLine } from '@xterm/headless';
import type { Clock } from '../../source/fleet/clock.ts';
import type { Program } from '../../source/terminal/terminal.ts';

export type Device = ReturnType<typeof createDevice>;

export type DeviceOptions = {
	env?: Readonly<Record<string, string>> | undefined;
	/** Gets what the program writes past the stream when it leaves the screen; without one it is lost. */
	fd?: number | undefined;
};

/**
 * A process in a terminal: what is written goes to a real emulator, and what the emulator answers, or a
 * person types, is read. Only the system around it is left out.
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
	/** What a stalled line holds back; undefined while the line is not stalled. */
	let stalledWrites: { text: string; taken: (() => void) | undefined }[] | undefined;

	/** The emulator takes at once what follows a key; anything else it would leave for a timer. */
	function writeAtOnce(text: string, drawn: () => void) {
		emulator.input('');
		emulator.write(text, drawn);
	}

	const stdout = Object.assign(new EventEmitter(), {
		isTTY: true,
		writableLength: 0,
		fd,
		getWindowSize: () => [emulator.cols, emulator.rows],
		write(text: string, taken?: () => void) {
			if (stalledWrites) stalledWrites.push({ text, taken });
			else deliver(text, taken);
			return true;
		},
	});

	function deliver(text: string, taken: (() => void) | undefined) {
		written += text;
		pendingWrites += 1;
		writeAtOnce(text, () =>
			queueMicrotask(() => {
				pendingWrites -= 1;
				taken?.();
			}),
		);
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
				// What the program resets goes to the terminal past the stream.
				emulator.write('\u001B[?1049l');
			}
			// Node then looks whether the size is another.
			if (signal === 'SIGWINCH') stdout.emit('resize');
			return true;
		},
		exit: (code: number) => exits.push(code),
	});
	const send = (text: string) => stdin.emit('data', text);
	emulator.onData(answer => {
		if (answer !== '') send(answer);
	});

	return {
		program: program as unknown as Program,
		emulator,
		send,
		exits,
		isDrawing: () => pendingWrites > 0,
		isStopped: () => isStopped,
		/** From now on nothing that is written reaches the terminal. */
		stall() {
			stalledWrites ??= [];
		},
		/** How many frames a stalled line holds back. */
		stalledFrames: () => stalledWrites?.filter(({ taken }) => taken !== undefined).length ?? 0,
		/** The stalled line delivers what it held back. */
		endStall() {
			const waiting = stalledWrites ?? [];
			stalledWrites = undefined;
			for (const { text, taken } of waiting) deliver(text, taken);
		},
		/** All that was ever written. */
		written: () => written,
		/** Nothing falls due in a process that is stopped, until it goes on. */
		clock: {
			now: clock.now,
			after: (milliseconds: number, call: () => void) =>
				clock.after(milliseconds, () => {
					if (isStopped) resumedCalls.push(call);
					else call();
				}),
		} satisfies Clock,
		/** As `fg` does. */
		continue() {
			isStopped = false;
			life.emit('SIGCONT');
			for (const call of resumedCalls.splice(0)) call();
		},
		resize(nextColumns: number, nextRows: number) {
			emulator.resize(nextColumns, nextRows);
			stdout.emit('resize');
		},
		lines: () =>
			Array.from(
				{ length: emulator.rows },
				(_, y) => emulator.buffer.active.getLine(y)?.translateToString(true).trimEnd() ?? '',
			),
		/** The first line with that text, with a sequence before each change of colour. */
		colouredLine(text: string) {
			const buffer = emulator.buffer.active;
			for (let y = 0; y < emulator.rows; y += 1) {
				const line = buffer.getLine(y);
				if (line?.translateToString(true).includes(text)) return colouredText(line);
			}
			return '';
		},
		/** What the program says beside what it draws. */
		effects: recordEffects(emulator),
	};
}

function colouredText(line: IBufferLine): string {
	let written = '';
	let colour = '';
	for (let x = 0; x < line.length; x += 1) {
		const cell = line.getCell(x);
		if (!cell || cell.getWidth() === 0) continue;
		const glyph = cell.getChars() || ' ';
		// The colour of a blank cannot be seen, so the program leaves whatever is there.
		const next = glyph === ' ' ? colour : colourOf(cell);
		if (next !== colour) written += next;
		colour = next;
		written += glyph;
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
	const said = {
		titles: [] as string[],
		copied: [] as string[],
		notified: [] as string[],
		bells: 0,
	};
	emulator.onTitleChange(title => said.titles.push(title));
	emulator.onBell(() => {
		said.bells += 1;
	});
	emulator.parser.registerOscHandler(52, content => {
		said.copied.push(Buffer.from(content.replace(/^c;/, ''), 'base64').toString('utf8'));
		return true;
	});
	emulator.parser.registerOscHandler(9, text => {
		said.notified.push(text);
		return true;
	});
	return said;
}
