// Runs a program in a real pty with a terminal emulator.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { measureFrames } from './frames.js';

export const columns = 120;
export const rows = 40;

/** Creates an empty home folder, and an environment that uses it. */
export function createHome() {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-bench-'));
	// These variables are left out. Reading extra certificates, for example, slows the start of Node itself.
	const { NODE_EXTRA_CA_CERTS, NO_COLOR, TMUX, STY, ...inherited } = process.env;
	return {
		folder,
		env: {
			...inherited,
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			HOME: folder,
			XDG_CACHE_HOME: join(folder, 'cache'),
			XDG_STATE_HOME: join(folder, 'state'),
			XDG_CONFIG_HOME: join(folder, 'config'),
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** Opens a program and collects its output piece by piece. */
export function openSession(words, env) {
	const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
	// The reported name tells the program that this emulator can repeat a character.
	terminal.parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => {
		pty.write('\u001BP>|xterm.js(6.0.0)\u001B\\');
		return true;
	});
	const start = performance.now();
	const pty = spawn(process.execPath, words, { cols: columns, rows, env, encoding: null });
	const pieces = [];
	let last = start;
	let isGone = false;
	pty.onExit(() => {
		isGone = true;
	});
	terminal.onData(data => !isGone && pty.write(data));
	pty.onData(data => {
		last = performance.now();
		pieces.push({ at: last, data: Buffer.from(data) });
	});
	return {
		pty,
		terminal,
		start,
		press(keys) {
			last = performance.now();
			pty.write(keys);
		},
		/** Waits until the program has written nothing for a while, and returns its output. */
		async settle(quiet = 60, limit = 5000) {
			const until = performance.now() + limit;
			while (performance.now() < until && performance.now() - last < quiet) await sleep(5);
			return pieces.splice(0);
		},
		take: () => pieces.splice(0),
		text: () =>
			Array.from({ length: rows }, (_, y) =>
				terminal.buffer.active.getLine(y)?.translateToString(true),
			).join('\n'),
		show: data => new Promise(resolve => terminal.write(data, resolve)),
		/** Quits with a key as a person does, so that the program saves its state. */
		async quit() {
			const end = new Promise(resolve => pty.onExit(resolve));
			pty.write('q');
			await end;
		},
		async close() {
			if (isGone) return;
			const end = new Promise(resolve => pty.onExit(resolve));
			pty.kill('SIGKILL');
			await end;
		},
	};
}

/** Whether the screen shows the header of the table and more than `least` rows. */
export function isShowing(text, least = 20) {
	const [, ...rest] = text.split('NAME');
	const lines = rest.join('').split('\n');
	return lines.filter(line => line.trim() !== '').length > least;
}

/** Opens a program and waits until it has drawn the fleet and everything else that appears at the start. */
export async function openReadySession(words, env, least = 20) {
	const session = openSession(words, env);
	const until = performance.now() + 30_000;
	while (performance.now() < until && !isShowing(session.text(), least)) {
		for (const { data } of session.take()) await session.show(data);
		await sleep(20);
	}
	if (!isShowing(session.text(), least)) {
		throw new Error(`The program did not show the fleet:\n${session.text()}`);
	}
	await sleep(4000);
	for (const { data } of session.take()) await session.show(data);
	return session;
}

/** Presses keys one by one, and returns for each key the first frame that `isAnswer` accepts. */
export async function pressKeys(session, keys, isAnswer = () => true) {
	const answers = [];
	for (const [time, key] of keys.entries()) {
		await measureFrames(session, session.take());
		const at = performance.now();
		session.press(key);
		const frames = await measureFrames(session, await session.settle(40, 500));
		const first = frames.find(isAnswer);
		if (first) answers.push({ ...first, delay: first.at - at });
		await sleep(30 + (time % 7) * 20);
	}
	return answers;
}

/**
 * Returns the time from each key to the first output after it. Nothing else is computed, so that the measurement does
 * not slow the program.
 */
export async function keyDelays(session, keys) {
	const found = [];
	for (const [time, key] of keys.entries()) {
		for (const { data } of session.take()) await session.show(data);
		const at = performance.now();
		session.press(key);
		const pieces = await session.settle(40, 500);
		for (const { data } of pieces) await session.show(data);
		if (pieces[0]) found.push(pieces[0].at - at);
		await sleep(30 + (time % 7) * 20);
	}
	return found;
}

/**
 * Returns the time from the start of the process to the header of the table, to its rows, and to the first frame with the
 * line of the keys. Before that frame, the rows may be the picture that an earlier run has kept.
 */
export async function measureFirstFrame(words, env, least = 20) {
	const session = openSession(words, env);
	let frame;
	let fleet;
	let keys;
	while (
		(fleet === undefined || keys === undefined) &&
		performance.now() - session.start < 20_000
	) {
		await sleep(1);
		for (const { at, data } of session.take()) {
			await session.show(data);
			if (session.text().includes('NAME')) frame ??= at - session.start;
			if (isShowing(session.text(), least)) fleet ??= at - session.start;
			if (session.text().includes('q quit')) keys ??= at - session.start;
		}
	}
	await session.close();
	return { frame, fleet, keys };
}

/** Returns how long `node -e 0` takes in a pty. */
export async function measureNodeStart(env) {
	const start = performance.now();
	const pty = spawn(process.execPath, ['-e', '0'], { cols: columns, rows, env });
	await new Promise(resolve => pty.onExit(resolve));
	return performance.now() - start;
}
