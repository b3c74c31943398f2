import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { readLines } from '../../source/journal/log-files.ts';
import { startLiveAccount } from './live-account.ts';
import { childrenOf, isProcessRunning } from './running.ts';
import { program, registerSessions, type Session } from './session.ts';

const { open, openShell, folder, foldersIn } = registerSessions();
const { signedIn, simulator } = await startLiveAccount({ computers: 4 });

const logOf = (home: string) =>
	execFileSync(process.execPath, [program, 'log'], {
		env: { ...process.env, ...signedIn, ...foldersIn(home) },
		encoding: 'utf8',
	});

test('after `kill -9` of the only monitor, log and screen say that the outcome of its command is unknown', async () => {
	const { CROWSNEST_CONFIG_DIR: config, CROWSNEST_STATE_DIR: state } = foldersIn('killed');
	mkdirSync(config, { recursive: true });
	// The program is short, because nothing ends the child of a killed process.
	const nap = ['command = ["sleep", "20"]', 'key = "N"', 'confirm = "ask"', 'output = "none"'];
	writeFileSync(join(config, 'config.toml'), ['[commands.nap]', ...nap].join('\n'));
	const first = open({ words: '', home: 'killed', env: signedIn });
	await first.sees('4 computers');
	await first.press('N');
	await first.pressUntil('y', () => !first.text().includes('Run nap'));
	await first.sees('running nap');
	const isWritten = () => readLines(join(state, 'log')).some(line => line.includes('"to":"sent"'));
	await first.until('the journal', isWritten);
	first.pty.kill('SIGKILL');
	await first.ended();

	expect(logOf('killed')).toMatch(/nap outcome unknown: crowsnest ended while it ran/);
	const second = open({ words: '', home: 'killed', env: signedIn });
	await second.sees('4 computers');
	await second.sees('nap outcome unknown');
	await second.quits();
});

test('a command that is killed before its request leaves has noted the request, and its outcome is unknown', async () => {
	const preload = join(folder, 'kill-at-request.cjs');
	const killsAtRequest = `
		const http = require('node:http');
		const { request } = http;
		http.request = (...words) => {
			if (words.some(each => each.method === 'POST' && String(words[0]).includes('/sandbox/')))
				process.kill(process.pid, 'SIGKILL');
			return request(...words);
		};`;
	writeFileSync(preload, killsAtRequest);
	const before = simulator.requests.length;
	const words = ['--require', preload, program, 'stop', 'atlas', '--yes'];
	const env = { ...process.env, ...signedIn, ...foldersIn('command') };
	// The simulator runs in this process, which must not wait for the command without handling requests.
	const killed = promisify(execFile)(process.execPath, words, { env });
	await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL', stderr: '' });
	const sent = simulator.requests.slice(before);
	expect(sent.filter(({ method, path }) => method === 'POST' && path.includes('stop'))).toEqual([]);
	expect(logOf('command')).toMatch(/atlas.* outcome unknown: crowsnest ended while it ran/);
});

/** Opens the program under a shell that afterwards prints the state that the program left. */
async function openUnderShell() {
	const session = open({ line: 'echo before; $PROGRAM --mouse; echo "status $?"; stty -a' });
	await session.sees('atlas-0000');
	return session;
}

async function expectGivenBack(session: Session) {
	await session.readsLines();
	expect(session.modes()).toMatchObject({
		screen: 'normal',
		isCursorHidden: false,
		bracketedPasteMode: false,
		sendFocusMode: false,
		mouseTrackingMode: 'none',
		synchronizedOutputMode: false,
		wraparoundMode: true,
	});
	expect(session.text()).toMatch(/^before\n/);
	expect(session.title()).toBe('');
}

test('Ctrl-C gives the screen back and prints the errors that were written while it was taken', async () => {
	const session = await openUnderShell();
	await session.until('the title', () => session.title() === 'crowsnest: 1000');
	expect(session.modes()).toMatchObject({
		screen: 'alternate',
		isCursorHidden: true,
		bracketedPasteMode: true,
		sendFocusMode: true,
		mouseTrackingMode: 'vt200',
		wraparoundMode: false,
	});
	await session.press('W');
	expect(session.text()).toContain('typed W');
	expect(session.text()).not.toContain('written beside');
	void session.press('\u0003');
	await expectGivenBack(session);
	expect(session.text()).toContain('status 0');
	expect(session.text()).toContain('written beside the screen');
});

// A hang-up does not always mean that the terminal is gone.
test.each(['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGABRT'] as const)(
	'%s gives the terminal back, and the shell sees that the signal ended the program',
	async signal => {
		const session = await openUnderShell();
		process.kill(childrenOf(session.pty.pid)[0] ?? 0, signal);
		await expectGivenBack(session);
		expect(session.text()).toContain(`status ${128 + constants.signals[signal]}`);
	},
);

test('after an uncaught exception the program prints the error and the path of the crash report', async () => {
	const session = await openUnderShell();
	void session.press('E');
	await expectGivenBack(session);
	expect(session.text()).toContain('crowsnest stopped because of a bug: thrown on purpose');
	expect(session.text()).toContain('status 1');
	const reports = readdirSync(folder).filter(name => name.startsWith('crash-'));
	const report = join(folder, reports.at(-1) ?? '');
	expect(session.text().replaceAll('\n', '')).toContain(report);
	expect(statSync(report).mode & 0o777).toBe(0o600);
	expect(readFileSync(report, 'utf8')).toContain('Error: thrown on purpose');
});

test('closing the terminal ends the program, even when SIGHUP is ignored', async () => {
	const session = open({ line: "trap '' HUP; exec $PROGRAM" });
	await session.sees('atlas-0000');
	const { pid } = session.pty;
	(session.pty as unknown as { destroy(): void }).destroy();
	await session.until('its end', () => !isProcessRunning(pid));
});

/** The sequences that a crashed program left behind. */
const leftOn = (sequences: string) => `printf '${sequences}'`;

/** Node loads this before the program. It warns when the terminal is resized. */
function warningOnResize() {
	const file = join(folder, 'warn.cjs');
	const print =
		"process.emitWarning('the sky is falling'); console.log('a log line'); console.error('an error line');";
	writeFileSync(file, `process.on('SIGWINCH', () => { ${print} });`);
	return { NODE_OPTIONS: `--require ${file}` };
}

describe('the monitor under a shell with job control', () => {
	let session: Session;
	let suspensions = 0;

	beforeAll(async () => {
		session = await openShell({ env: warningOnResize() });
		const modes = leftOn('\\033[?1h\\033=\\033[?1002h\\033[?1006h');
		// A person starts the program directly, or as a child of another program such as npm or npx.
		session.pressInShell(`${modes}; sh -c "$PROGRAM; true"\r`);
		await session.sees('q quit');
	});

	async function suspend() {
		suspensions += 1;
		void session.press('\u001A');
		const stops = () => session.received().split('] + Stopped').length - 1;
		await session.until(
			'the stopped job',
			() => stops() >= suspensions && session.modes().screen === 'normal',
		);
		await session.shellAnswers();
		expect(session.modes()).toMatchObject({ isCursorHidden: false, bracketedPasteMode: false });
	}

	test('switches off the modes that another program left on before its start', () => {
		expect(session.modes()).toMatchObject({
			mouseTrackingMode: 'none',
			applicationCursorKeysMode: false,
			applicationKeypadMode: false,
		});
	});

	test('prints warnings of Node and console output of dependencies only after Ctrl-Z has handed the screen to the shell, and draws the same screen again after `fg`', async () => {
		session.resize(120, 20);
		await session.until('the new size', () => session.text().split('\n')[2]?.length === 120);
		await session.press('j');
		const shown = session.text();
		expect(shown).toContain('❯ borealis-0001');
		await session.press('\x0c');
		expect(session.text()).toBe(shown);
		expect(session.received()).not.toMatch(/falling|(log|error) line/);
		await suspend();
		expect(session.text()).toContain('Warning: the sky is falling');
		expect(session.text()).toMatch(/a log line\s+an error line/);
		session.pressInShell('fg\r');
		await session.until('the picture', () => session.text() === shown);
		expect(session.modes()).toMatchObject({ screen: 'alternate', isCursorHidden: true });
		await session.press('H');
		expect(session.title()).toMatch(/^suspended resumed/);
	});

	test('draws the screen in the new size after a resize while it was stopped, and switches off the modes that another program left on', async () => {
		await suspend();
		session.resize(80, 12);
		session.pressInShell(`${leftOn('\\033[?1003h')}; fg\r`);
		await session.sees('command  ?…');
		await session.until('no mouse', () => session.modes().mouseTrackingMode === 'none');
		await session.press('j');
		const resized = session.text();
		expect(resized).toContain('❯ cygnus-0002');
		await session.press('\x0c');
		expect(session.text()).toBe(resized);
	});

	test('draws the screen correctly after another process stopped and continued it', async () => {
		const before = session.text();
		await suspend();
		session.pressInShell('kill -CONT %1; fg\r');
		await session.until('the picture', () => session.text() === before);
		await session.press('j');
		expect(session.text()).toContain('❯ draco-0003');
	});
});
