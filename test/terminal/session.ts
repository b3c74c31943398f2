import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { idleMark } from '../../source/terminal/idle-marks.ts';

export type Session = ReturnType<typeof openSession>;

type Opening = {
	/** A line for the shell, in which `$PROGRAM` is the command that opens the stand-in. */
	line?: string;
	shell?: string[];
	flags?: string[];
	env?: Record<string, string>;
	columns?: number;
	rows?: number;
	/** The terminal answers only when `answer` is called. */
	isSlowToAnswer?: boolean;
};

// Only what never comes is given up, however slow the machine is.
const limit = 50_000;

/** The marks are for the tests alone; no terminal that a person has is ever sent one. */
const marks = new RegExp(`\\x1b\\]${idleMark};\\d+\\x1b\\\\`, 'g');

/** The whole program, as it is shipped. */
export const program = inject('program');

/** Opens the stand-in, or another program, in a real pty. */
export function sessionsOf(): { open: (opening?: Opening) => Session; folder: () => string } {
	let folder = '';
	const sessions: Session[] = [];

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'crowsnest-terminal-'));
	});
	afterEach(() => {
		for (const session of sessions.splice(0)) session.close();
	});
	// Who was killed may have begun to write something.
	afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

	return {
		folder: () => folder,
		open(opening = {}) {
			const session = openSession(folder, opening);
			sessions.push(session);
			return session;
		},
	};
}

function openSession(folder: string, opening: Opening) {
	const { columns = 100, rows = 24, flags = [] } = opening;
	const caches = inject('caches');
	const standIn = [process.execPath, inject('standIn'), '--reports', folder, ...flags];
	const command = ['env', `XDG_CACHE_HOME=${caches.standIn}`, ...standIn];
	const { TMUX, STY, NO_COLOR, CI, ...inherited } = process.env;
	const pty = spawn('/bin/sh', opening.shell ?? ['-c', opening.line ?? 'exec $PROGRAM'], {
		cols: columns,
		rows,
		cwd: folder,
		env: {
			...inherited,
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			PS1: 'prompt> ',
			XDG_CACHE_HOME: caches.program,
			CROWSNEST_IDLE_MARKS: '1',
			PROGRAM: command.join(' '),
			...opening.env,
		},
	});
	const terminal = new Terminal({
		cols: columns,
		rows,
		allowProposedApi: true,
		windowOptions: { pushTitle: true, popTitle: true },
	});
	let received = '';
	let title = '';
	let bells = 0;
	let exit: { exitCode: number; signal?: number } | undefined;
	let answers = '';
	const idle = createIdleness(text);
	terminal.parser.registerOscHandler(idleMark, bytesRead => idle.marked(Number(bytesRead)));
	terminal.onData(data => {
		if (opening.isSlowToAnswer) answers += data;
		else send(data);
	});
	terminal.onTitleChange(next => {
		title = next;
	});
	terminal.onBell(() => {
		bells += 1;
	});
	let news = () => {};
	pty.onData(data => {
		received += data;
		terminal.write(data, () => news());
	});
	// The end is known when all that was written before it is on the screen.
	pty.onExit(event =>
		terminal.write('', () => {
			exit = event;
			idle.over();
			news();
		}),
	);

	/** Resolves with the next output, or soon: not all that is waited for is shown. */
	function nextNews(): Promise<void> {
		return new Promise(resolve => {
			const timer = setTimeout(resolve, 25);
			news = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}

	function send(keys: string) {
		idle.sent(Buffer.byteLength(keys));
		pty.write(keys);
	}

	type Found<T> = T | undefined | false;

	async function until<T>(what: string, found: () => Found<T> | Promise<Found<T>>): Promise<T> {
		const end = performance.now() + limit;
		for (;;) {
			const value = await found();
			if (value !== undefined && value !== false) return value;
			if (performance.now() > end) throw new Error(`Waited in vain for ${what}:\n${text()}`);
			await nextNews();
		}
	}

	function text() {
		const { active } = terminal.buffer;
		return Array.from({ length: terminal.rows }, (_, y) =>
			active
				.getLine(active.baseY + y)
				?.translateToString(true, 0, terminal.cols)
				.trimEnd(),
		).join('\n');
	}

	return {
		pty,
		terminal,
		text,
		/** What a terminal outside of the tests would have been sent. */
		received: () => received.replace(marks, ''),
		receivedWithMarks: () => received,
		title: () => title,
		bells: () => bells,
		/** Resolves when the program has read the keys, has nothing more to do and has drawn it. */
		press(keys: string): Promise<void> {
			send(keys);
			return idle.next();
		},
		/** For a shell or another program that has the terminal: the marks count only what ours reads. */
		pressInShell: (keys: string) => pty.write(keys),
		/** The same for what was sent already, the answers of the terminal among it. */
		idle: idle.next,
		/** What the terminal was asked and has not answered yet. */
		unanswered: () => answers,
		answer() {
			send(answers);
			answers = '';
		},
		until,
		sees: (part: string) => until(`“${part}”`, () => text().includes(part)),
		/** How the shell that opened the program ended. */
		ended: () => until('its end', () => exit),
		resize(columns: number, rows: number) {
			pty.resize(columns, rows);
			terminal.resize(columns, rows);
		},
		modes: () => ({
			...terminal.modes,
			screen: terminal.buffer.active.type,
			isCursorHidden: isCursorHidden(terminal),
		}),
		close() {
			idle.over();
			if (exit) return;
			pty.kill('SIGKILL');
		},
	};
}

/** Knows from the marks of the program whether it has read all that was sent, and rests. */
function createIdleness(text: () => string) {
	let bytesSent = 0;
	let bytesRead = -1;
	let isOver = false;
	const waiting = new Set<() => void>();

	function look() {
		if (bytesRead >= bytesSent || isOver) for (const call of waiting) call();
	}

	return {
		sent(bytes: number) {
			bytesSent += bytes;
		},
		marked(bytes: number) {
			bytesRead = bytes;
			look();
			return true;
		},
		/** No more marks will come. */
		over() {
			isOver = true;
			look();
		},
		next(): Promise<void> {
			const idle = new Promise<void>((resolve, reject) => {
				const end = () => {
					clearTimeout(timer);
					waiting.delete(end);
					resolve();
				};
				const timer = setTimeout(() => {
					waiting.delete(end);
					reject(new Error(`Not idle with ${bytesRead} of ${bytesSent} bytes read:\n${text()}`));
				}, limit).unref();
				waiting.add(end);
				look();
			});
			// A test that does not wait for it has something else to wait for.
			idle.catch(() => {});
			return idle;
		},
	};
}

/** The emulator tells everything about itself but this. */
function isCursorHidden(terminal: Terminal): boolean {
	const { _core } = terminal as unknown as {
		_core: { coreService: { isCursorHidden: boolean } };
	};
	return _core.coreService.isCursorHidden;
}
