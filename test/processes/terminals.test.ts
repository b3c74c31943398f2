import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startLiveAccount, writeConfig } from './live-account.ts';
import { childrenOf, isProcessRunning } from './running.ts';
import { program, registerSessions, type Session } from './session.ts';

const { open, openShell, folder, foldersIn } = registerSessions();
const twelve = await startLiveAccount({ computers: 12 });
const seven = await startLiveAccount({ computers: 7 });

/** Redraws the whole screen again and again, which is more than the pty holds. */
async function drawOften(session: Session) {
	for (let time = 0; time < 60; time++) {
		void session.press('\u000C');
		await new Promise(setImmediate);
	}
}

describe('the screen', () => {
	let session: Session;

	beforeAll(async () => {
		session = open({ line: 'exec $PROGRAM' });
		await session.sees('q quit');
	});

	test('redraws a screen that other programs wrote on after Ctrl-L, and draws after a resize what Ctrl-L draws', async () => {
		await session.press('k');
		const before = session.text();
		session.terminal.write('\u001B[5;5Hnoise\u001B[9;1Hnoise');
		await session.sees('noise');
		await session.press('\u000C');
		expect(session.text()).toBe(before);

		for (const [columns, rows] of [
			[140, 30],
			[20, 7],
			[100, 24],
		] as const) {
			session.resize(columns, rows);
			const rule = '─'.repeat(columns);
			await session.until(`${columns}×${rows}`, () => session.text().split('\n')[2] === rule);
			// The frame of the resize may still be drawn.
			await session.press('k');
			const resized = session.text();
			await session.press('\u000C');
			expect(session.text()).toBe(resized);
		}
	});

	test('goes on at once after Ctrl-Z without a shell that could continue it', async () => {
		const before = session.text();
		void session.press('\u001A');
		await session.until('the screen', () => session.received().includes('\u001B[?1049l'));
		await session.until('the picture', () => session.text() === before);
		await session.press('j');
		expect(session.text()).toContain('❯ borealis-0001');
	});

	test('delays neither signals nor its exit for a terminal that stops reading, which gets the newest frame when it reads again', async () => {
		for (let page = 1; page <= 10; page++) {
			await session.press('\u001B[6~');
			expect(session.text()).toContain(`-${String(page * 18).padStart(4, '0')}`);
		}

		// One frame of this size is larger than the buffer of the pty.
		session.resize(400, 200);
		await session.until('the size', () => session.text().split('\n')[2] === '─'.repeat(400));
		await session.press('g');
		const start = session.received().length;
		await session.press('\u000C');
		const frameLength = session.received().length - start;
		session.pty.pause();
		await drawOften(session);
		const before = session.received().length;
		const newest = session.press('jjj');
		session.pty.resume();
		await newest;
		expect(session.text()).toContain('❯ draco-0003');
		// The received output consists of the text in the pty, the frame that was cut off, and the newest frame.
		expect(session.received().length - before).toBeLessThan(10 * frameLength);

		session.pty.pause();
		await drawOften(session);
		process.kill(session.pty.pid, 'SIGTERM');
		await session.until('its end', () => !isProcessRunning(session.pty.pid));
	});
});

test('late replies of the terminal, and keys typed while the program waits for them, do not reach the shell', async () => {
	const session = await openShell({ isSlowToAnswer: true });
	session.pressInShell('$PROGRAM\r');
	await session.sees('q quit');
	await session.until('the questions', () => session.unanswered().endsWith('c'));
	void session.press('q');
	await session.until('the shell’s screen', () => session.modes().screen === 'normal');
	void session.press('E');
	// The emulator does not reply to the query for the background colour.
	void session.press('\u001B]11;rgb:1e1e/1e1e/1e1e\u001B\\');
	session.answer();
	await session.until('the prompt', () => /prompt>\s*$/.test(session.text().trimEnd()));
	await session.shellAnswers();
	expect(session.text()).toMatch(
		/^prompt> \$PROGRAM\n?.*\n?prompt> echo still \$\(\(40 \+ 1\)\)\nstill 41/s,
	);
	expect(session.text()).not.toMatch(/rgb|\^\[|\[\?|stopped because of a bug/);
	expect(session.modes().screen).toBe('normal');
});

/** Opens the monitor of the first account. */
const openMonitor = (words: string, env: Record<string, string> = {}) =>
	open({ columns: 120, rows: 36, words, env: { ...twelve.signedIn, ...env } });

describe('the monitor with the mouse', () => {
	let session: Session;
	const lineOf = (text: string) =>
		session
			.text()
			.split('\n')
			.findIndex(line => line.includes(text));

	beforeAll(async () => {
		session = openMonitor('--mouse');
		await session.sees('12 computers');
		for (const key of 'ong') await session.press(key);
	});

	test('loses no key of fast typing, and has drawn the effect of each key when it writes the idle mark', async () => {
		const firstRow = 4;
		for (const row of [1, 2, 3]) {
			await session.press('j');
			expect(lineOf('❯')).toBe(firstRow + row);
		}
		void session.press('j'.repeat(4));
		void session.press('\x1b[B');
		void session.press('\x1b[B');
		await session.press('\x1b[B');
		expect(lineOf('❯')).toBe(firstRow + 10);
		for (const typed of ['/', '/z', '/zz', '/zzz']) {
			await session.press(typed.slice(-1));
			expect(session.text()).toContain(typed);
		}
		expect(session.text()).toMatch(/ 0 of \d/);
		await session.press('\x1b');
		expect(session.text()).not.toMatch(/ 0 of \d/);
	});

	test('moves the cursor with clicks and the wheel, and gives the screen and the mouse back when the key “q” is pressed', async () => {
		expect(session.modes().mouseTrackingMode).toBe('vt200');
		await session.press('g');
		const row = lineOf('draco');
		// The button goes down and up again.
		await session.press(`\x1b[<0;8;${row + 1}M\x1b[<0;8;${row + 1}m`);
		expect(session.text()).toContain('❯ draco');
		await session.press('\x1b[<65;8;9M');
		expect(session.text()).toContain('❯ gemini');
		await session.quits();
		expect(session.modes()).toMatchObject({ screen: 'normal', mouseTrackingMode: 'none' });
	});
});

test('the monitor draws without colours when `NO_COLOR` is set, in ASCII where Unicode is switched off, and writes no idle marks outside of tests', async () => {
	const plain = { NO_COLOR: '1', LANG: 'C', LC_ALL: 'C', CROWSNEST_IDLE_MARKS: '' };
	const session = openMonitor('', plain);
	await session.sees('12 computers');
	// The order that was chosen in the monitor above is saved.
	expect(session.text()).toMatch(/> atlas +\* Active/);
	expect(session.text()).not.toMatch(/[^\x00-\x7f]/);
	// A key that comes after the first answer is read, and the program is idle before the next one.
	await session.sees('live, ');
	for (const [key, name] of [
		['j', 'borealis'],
		['k', 'atlas'],
	] as const) {
		session.pressInShell(key);
		await session.sees(`> ${name}`);
	}
	process.kill(session.pty.pid, 'SIGTERM');
	await session.ended();
	const received = session.receivedWithMarks();
	const styles = [...received.matchAll(/\x1b\[([\d;]*)m/g)].map(([, codes]) => codes);
	expect(styles.join(';')).not.toMatch(/\b(3[0-8]|4[0-8]|9[0-7])\b/);
	expect(received).not.toMatch(/\x1b\[\?100[0236]h/);
	expect(received).not.toContain('\x1b]7717');
});

describe('the spoken monitor', () => {
	/** Answers each question of the sign-in at the command line. */
	async function answerSignInQuestions(session: Session) {
		const { baseUrl, authUrl, anonKey, email, password } = seven.simulator;
		for (const [question, answer] of [
			['Base URL', baseUrl],
			['Identity URL', authUrl],
			['Anon key', anonKey],
			['E-mail', email],
			['Password', password],
		] as const) {
			await session.sees(question);
			expect(session.modes().screen).toBe('normal');
			session.pressInShell(`${answer}\r`);
		}
	}

	/** Nothing but printable characters, line breaks and the bell. */
	const plain = /^[\x20-\x7e\u00a0-\uffff\r\n\x07]+$/;

	test('the spoken monitor greets a person and signs in, Ctrl-Z hands the terminal to the shell, and the key “q” gives the terminal back', async () => {
		const session = await openShell({ home: 'spoken', rows: 60 });
		session.pressInShell(`${process.execPath} ${program} --screen-reader\r`);
		const help = 'l signs in, any other key closes this and acts.';
		await session.sees('Welcome to crowsnest', help, '24 computers, trouble first.');
		void session.press('l');
		await answerSignInQuestions(session);
		await session.sees('crowsnest, watching default.', '7 computers, trouble first.');
		expect(session.received()).toMatch(/Password \(not shown\): \r\nSigned in/);

		void session.press('\x1a');
		await session.until('the prompt', () => /Stopped.*\n(.*\n)*prompt>/.test(session.text()));
		await session.shellAnswers();
		session.pressInShell('fg\r');
		await session.sees('Resumed.');
		void session.press('j');
		await session.sees('2 of 7: borealis');
		void session.press('q');
		await session.until('the prompt', () => /2 of 7: borealis[^>]*\nprompt>/.test(session.text()));
		session.pressInShell('echo "status $?"; stty -a\r');
		await session.readsLines();
		expect(session.received()).toMatch(plain);
		expect(session.text()).toContain('status 0');
	});

	test('on a terminal that can only show lines the monitor speaks and only adds lines, and a signal makes it give the terminal back even in the middle of a line', async () => {
		const line = `echo before; ${process.execPath} ${program}; echo "status $?"; stty -a`;
		const lineTerminal = { INK_SCREEN_READER: 'true', TERM: 'dumb', LANG: 'C', LC_ALL: 'C' };
		const env = { ...seven.signedIn, ...lineTerminal };
		const session = open({ line, home: 'lines', env, rows: 60 });
		await session.sees('Press the question mark for help');
		await session.press('/atl');
		expect(session.text()).toContain('Filter: atl');
		await session.press('\x7f');
		expect(session.text()).toContain('Filter: at\n');
		process.kill(childrenOf(session.pty.pid)[0] ?? 0, 'SIGTERM');
		await session.readsLines();
		expect(session.received()).toMatch(plain);
		expect(session.text()).toMatch(/Filter: at\n(Terminated\n)?status 143/);
		// No line was written again.
		expect(session.received().match(/Press the question mark for help/g)).toHaveLength(1);
	});
});

describe('the lent terminal', () => {
	/**
	 * A program that asks for a passphrase in the terminal, like gpg's pinentry. It is no shell script, because a shell that
	 * is interrupted between its prompt and the start of its reading may go on.
	 */
	const scriptThatAsks = (heard: string, password: string) => `
	import { spawnSync } from 'node:child_process';
	import { openSync, readSync, writeFileSync, writeSync } from 'node:fs';
	const terminal = openSync('/dev/tty', 'r+');
	const setEcho = mode => spawnSync('stty', [mode], { stdio: [terminal, 'ignore', 'ignore'] });
	setEcho('-echo');
	writeSync(terminal, 'Passphrase: ');
	const line = Buffer.alloc(100);
	const length = readSync(terminal, line);
	setEcho('echo');
	writeFileSync('${heard}', line.toString('utf8', 0, length).trim());
	console.log('${password}');
	`;

	const runPasswordCommand = (session: Session) =>
		session.pressUntil('\u0012', () => session.modes().screen === 'normal');

	test('a password command gets the terminal, Ctrl-C ends it, and no key reaches both the command and the monitor', async () => {
		const [heard, script] = [join(folder, 'heard'), join(folder, 'ask.mjs')];
		writeFileSync(script, scriptThatAsks(heard, seven.simulator.password));
		writeConfig(foldersIn('asking').CROWSNEST_CONFIG_DIR, {
			work: { account: seven, passwordCommand: [process.execPath, script] },
		});
		const session = open({ words: '', home: 'asking' });
		await session.sees('Ctrl-R runs the password command');
		expect(session.text()).toContain('The password command ended with code');
		expect(existsSync(heard)).toBe(false);
		expect(session.modes().screen).toBe('alternate');
		await runPasswordCommand(session);
		await session.sees('Passphrase:');
		session.pressInShell('\u0003');
		await session.sees('The password command was ended by SIGINT');
		expect(existsSync(heard)).toBe(false);

		await runPasswordCommand(session);
		// The first question is still on the normal screen.
		await session.until('it again', () => session.text().split('Passphrase:').length > 2);
		for (const key of 'jxyxyq\r') session.pressInShell(key);
		await session.sees('7 computers');
		await session.until('the screen', () => session.modes().screen === 'alternate');
		// The command has read neither a reply of the terminal nor a key for the monitor.
		expect(readFileSync(heard, 'utf8')).toBe('jxyxyq');
		expect(session.text()).not.toMatch(/Stop \w+\?|Leave\?|Password:/);
		const { requests } = seven.simulator;
		expect(
			requests.filter(({ method, path }) => method === 'POST' && path.includes('sandbox')),
		).toEqual([]);
		await session.quits();
	});

	test('Enter returns from a command that was killed while the terminal was raw, on its own screen and with the mouse on', async () => {
		const script = "stty raw -echo; printf '\\033[?1049h\\033[?1000h\\033[?25lvim'; kill -9 $$";
		const passwordCommand = ['echo', seven.simulator.password];
		const accounts = { work: { account: seven, passwordCommand } };
		writeConfig(foldersIn('edit').CROWSNEST_CONFIG_DIR, accounts, [
			'[commands.edit]',
			'key = "K"',
			'output = "terminal"',
			'changes = false',
			`command = ["sh", "-c", ${JSON.stringify(script)}]`,
		]);
		const session = open({ words: '', home: 'edit' });
		await session.sees('7 computers');
		void session.press('K');
		await session.sees('ended by SIGKILL. Press Enter to return to crowsnest.');
		expect(session.modes()).toMatchObject({
			screen: 'normal',
			mouseTrackingMode: 'none',
			isCursorHidden: false,
		});
		session.pressInShell('\r');
		await session.sees('7 computers');
		expect(session.modes().screen).toBe('alternate');
		await session.quits();
	});
});
