import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { afterAll, expect, inject } from 'vitest';
import { idleMarkNumber } from '../../source/terminal/process/idle-marks.ts';
import { linesOf } from '../driver/device.ts';

export type Session = ReturnType<typeof openSession>;

type Opening = {
	/** What stands behind the name of the program on its command line. */
	words?: string;
	/** A whole command line instead, in which `$PROGRAM` is the stand-in. */
	line?: string;
	/** The name of the folder with the state and the configuration. */
	home?: string;
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

/** Opens the stand-in, or another program, in a real pty, until all tests are over. */
export function registerSessions() {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-terminal-'));
	const sessions: Session[] = [];

	afterAll(() => {
		for (const session of sessions) session.close();
		// A killed program may still be writing a file, so the folder is removed in several tries.
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
	});

	/** The environment of a start whose state and configuration are in this folder. */
	const foldersIn = (home: string) => ({
		CROWSNEST_STATE_DIR: join(folder, home, 'state'),
		CROWSNEST_CONFIG_DIR: join(folder, home, 'config'),
	});

	function open({ home = '', ...opening }: Opening): Session {
		const env = { ...foldersIn(home), ...opening.env };
		const session = openSession(folder, { ...opening, env });
		sessions.push(session);
		return session;
	}

	/** Opens a shell with job control. */
	async function openShell(opening: Opening = {}): Promise<Session> {
		const env = { ...opening.env, ENV: '/dev/null', HISTFILE: '/dev/null' };
		const session = open({ ...opening, line: 'exec sh -i', env });
		await session.sees('prompt>');
		return session;
	}

	return { folder, foldersIn, open, openShell };
}

function openSession(folder: string, opening: Omit<Opening, 'home'>) {
	const { columns = 100, rows = 24, words } = opening;
	const caches = inject('caches');
	const standIn = [process.execPath, inject('standIn'), '--reports', folder];
	const command = ['env', `XDG_CACHE_HOME=${caches.standIn}`, ...standIn];
	const { TMUX, STY, NO_COLOR, CI, ...inherited } = process.env;
	const pty = spawn(
		'/bin/sh',
		['-c', opening.line ?? `exec ${process.execPath} ${program} ${words}`],
		{
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
		},
	);
	const terminal = new Terminal({
		cols: columns,
		rows,
		allowProposedApi: true,
		windowOptions: { pushTitle: true, popTitle: true },
	});
	let received = '';
	let title = '';
	let exit: { exitCode: number; signal?: number } | undefined;
	let isClosed = false;
	let answers = '';
	let shellQuestions = 0;
	let bytesSent = 0;
	/** How much the program has read when it is idle. */
	let bytesRead = -1;
	terminal.parser.registerOscHandler(idleMarkNumber, bytes => {
		bytesRead = Number(bytes);
		return true;
	});
	terminal.onData(data => {
		if (opening.isSlowToAnswer) answers += data;
		else send(data);
	});
	terminal.onTitleChange(next => {
		title = next;
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
		bytesSent += Buffer.byteLength(keys);
		pty.write(keys);
	}

	async function until<T>(what: string, found: () => T | undefined | false): Promise<T> {
		// A wait ends with the awaited event. The limit only turns a hang into a message that shows the screen.
		const end = performance.now() + limit;
		for (;;) {
			const value = found();
			if (value !== undefined && value !== false) return value;
			if (performance.now() > end) throw new Error(`Waited in vain for ${what}:\n${text()}`);
			await nextNews();
		}
	}

	/** Waits for each of the texts, one after another. */
	async function sees(...parts: readonly string[]) {
		for (const part of parts) await until(`“${part}”`, () => text().includes(part));
	}

	/** A program that has ended writes no more marks. */
	function idle(): Promise<unknown> {
		const isIdle = until(
			'the mark',
			() => bytesRead >= bytesSent || isClosed || exit !== undefined,
		);
		// A test that does not wait until the program is idle waits for another event.
		isIdle.catch(() => {});
		return isIdle;
	}

	const text = () => linesOf(terminal).join('\n');

	/** Resolves when the program has read the keys, is idle and has drawn the result. */
	async function press(keys: string): Promise<void> {
		// A program drops the keys from before its first frame, and its first mark comes after that frame.
		if (bytesRead < 0) await idle();
		send(keys);
		await idle();
	}

	/** Resolves when the shell that started the program has exited. */
	const ended = () => until('its end', () => exit);

	return {
		pty,
		terminal,
		text,
		/** The output without the marks, as a person's terminal would get it. */
		received: () => received.replace(marks, ''),
		receivedWithMarks: () => received,
		title: () => title,
		press,
		/**
		 * Presses a key that confirms until it has its effect: it has none before its frame was on the screen for a
		 * moment. Each key waits until the one before was read without an effect, because a key too many would do
		 * something else. While a command runs, the program is not idle.
		 */
		async pressUntil(key: string, hasEffect: () => boolean) {
			while (!hasEffect()) {
				let isRead = false;
				void press(key).then(() => {
					isRead = true;
				});
				await until('its effect', () => isRead || hasEffect());
			}
		},
		/**
		 * Types into a shell or another program that has the terminal. No mark is awaited, because marks count only
		 * what crowsnest reads.
		 */
		pressInShell: (keys: string) => pty.write(keys),
		/** Fails unless the shell has the terminal: it would read late replies and keys before this input. */
		async shellAnswers() {
			shellQuestions += 1;
			pty.write(`echo still $((40 + ${shellQuestions}))\r`);
			await sees(`still ${40 + shellQuestions}`);
		},
		/** Waits for the output of `stty -a`, and fails unless the terminal then reads lines and shows what is typed. */
		async readsLines() {
			await sees('-echoprt');
			expect(text()).toMatch(/ icanon/);
			expect(text()).toMatch(/ echo /);
		},
		/** Returns the queries that the terminal has not replied to yet. */
		unanswered: () => answers,
		answer() {
			send(answers);
			answers = '';
		},
		until,
		sees,
		ended,
		/** Fails unless the program ends without an error when a person quits. */
		async quits() {
			void press('q');
			expect(await ended()).toMatchObject({ exitCode: 0 });
		},
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
			isClosed = true;
			if (!exit) pty.kill('SIGKILL');
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
