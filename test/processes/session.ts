import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { idleMarkNumber } from '../../source/terminal/process/idle-marks.ts';

export type Session = ReturnType<typeof openSession>;

type Opening = {
	/** What stands behind the name of the program on its command line. Without it, the stand-in is opened. */
	words?: string;
	/** A command line for the shell. `$PROGRAM` opens the stand-in. */
	line?: string;
	shell?: string[];
	flags?: string[];
	env?: Record<string, string>;
	columns?: number;
	rows?: number;
	/** Whether the terminal replies to queries only when `answer` is called. */
	isSlowToAnswer?: boolean;
};

// Long enough for a slow machine, so that only an event that never happens times out.
const limit = 50_000;

/** The program writes idle marks only in tests, never to a person's terminal. */
const marks = new RegExp(`\\x1b\\]${idleMarkNumber};\\d+\\x1b\\\\`, 'g');

/** The path of the program as it is shipped. */
export const program = inject('program');

/** Opens the stand-in, or another program, in a real pty. */
export function registerSessions() {
	let folder = '';
	const sessions: Session[] = [];
	const shared: Session[] = [];

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'crowsnest-terminal-'));
	});
	afterEach(() => {
		for (const session of sessions.splice(0)) session.close();
	});
	afterAll(() => {
		for (const session of shared) session.close();
	});
	// A killed program may still be writing a file, so the folder is removed in several tries.
	afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

	return {
		folder: () => folder,
		open(opening: Opening = {}): Session {
			const session = openSession(folder, opening);
			sessions.push(session);
			return session;
		},
		/** Opens a session that later tests of the file use as well, because each start takes long. */
		openShared(opening: Opening): Session {
			const session = openSession(folder, opening);
			shared.push(session);
			return session;
		},
	};
}

function openSession(folder: string, opening: Opening) {
	const { columns = 100, rows = 24, flags = [], words } = opening;
	const caches = inject('caches');
	const standIn = [process.execPath, inject('standIn'), '--reports', folder, ...flags];
	const command = ['env', `XDG_CACHE_HOME=${caches.standIn}`, ...standIn];
	const { TMUX, STY, NO_COLOR, CI, ...inherited } = process.env;
	const usual =
		words === undefined ? 'exec $PROGRAM' : `exec ${process.execPath} ${program} ${words}`;
	const pty = spawn('/bin/sh', opening.shell ?? ['-c', opening.line ?? usual], {
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
			CROWSNEST_STATE_DIR: join(folder, 'state'),
			CROWSNEST_CONFIG_DIR: join(folder, 'config'),
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
	terminal.parser.registerOscHandler(idleMarkNumber, bytesRead => idle.marked(Number(bytesRead)));
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
	// The exit is noted only after all earlier output is on the screen.
	pty.onExit(event =>
		terminal.write('', () => {
			exit = event;
			idle.over();
			news();
		}),
	);

	/** Resolves with the next output, or after a short while, because not every event is visible. */
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
		// A wait ends with the awaited event. The limit only turns a hang into a message that shows the screen.
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

	let ready: Promise<void> | undefined;
	let isReady = false;

	return {
		pty,
		terminal,
		text,
		/** The output without the marks, as a person's terminal would get it. */
		received: () => received.replace(marks, ''),
		receivedWithMarks: () => received,
		title: () => title,
		bells: () => bells,
		/** Resolves when the program has read the keys, is idle and has drawn the result. */
		press(keys: string): Promise<void> {
			const pressed = () => {
				isReady = true;
				send(keys);
				return idle.next();
			};
			// A program drops the keys from before its first frame, and its first mark comes after that frame.
			ready ??= idle.next();
			return isReady ? pressed() : ready.then(pressed);
		},
		/** Presses a key that confirms until it has its effect: it has none before its frame was on the screen for a moment. */
		async pressUntil(key: string, hasEffect: () => boolean) {
			do await this.press(key);
			while (!hasEffect());
		},
		/**
		 * Types into a shell or another program that has the terminal. No mark is awaited, because marks count only
		 * what crowsnest reads.
		 */
		pressInShell: (keys: string) => pty.write(keys),
		/** Waits like `press` for input that was already sent, such as the terminal's answers. */
		idle: idle.next,
		/** Returns the queries that the terminal has not replied to yet. */
		unanswered: () => answers,
		answer() {
			send(answers);
			answers = '';
		},
		until,
		sees: (part: string) => until(`“${part}”`, () => text().includes(part)),
		/** Resolves when the shell that started the program has exited. */
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

/** Reads from the program's marks whether it has read all input and is idle. */
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
		/** Resolves the wait, because an ended program writes no more marks. */
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
			// A test that does not wait until the program is idle waits for another event.
			idle.catch(() => {});
			return idle;
		},
	};
}

/** The emulator has no public field for this mode. */
function isCursorHidden(terminal: Terminal): boolean {
	const { _core } = terminal as unknown as {
		_core: { coreService: { isCursorHidden: boolean } };
	};
	return _core.coreService.isCursorHidden;
}
