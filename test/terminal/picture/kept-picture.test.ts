import { EventEmitter } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountSecrets, accountSettings } from '../../../source/accounts/account-setting-table.ts';
import { programSettings } from '../../../source/accounts/config-table.ts';
import { folderVariables } from '../../../source/accounts/paths.ts';
import {
	type PictureProgram,
	pictureVariables,
	showKeptPicture,
} from '../../../source/terminal/picture/kept-picture.ts';
import { pictureText } from '../../../source/terminal/picture/picture-file.ts';

const now = 1_795_432_093_000;
const picture = { at: now - 5000, style: '\u001B[90m', lines: [' 1 Fleet', '', '   atlas'] };
const drawn =
	'\u001B[?1049h\u001B[m\u001B[H\u001B[J\u001B[?25l\u001B[?7l\u001B[1;1H\u001B[90m 1 Fleet\u001B[m\u001B[3;1H\u001B[90m   atlas\u001B[m';
const cleared = '\u001B[?7h\u001B[?25h\u001B[m\u001B[H\u001B[J\u001B[?1049l';

type Change = {
	words?: string[];
	env?: Record<string, string>;
	size?: [columns: number, rows: number];
	isInputTerminal?: boolean;
	isOutputTerminal?: boolean;
};

/** Creates starts in one home folder. The output of each goes to a file, as the picture is written to a descriptor. */
function createStarts() {
	const home = mkdtempSync(join(tmpdir(), 'crowsnest-picture-'));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	const [configPath, profilesPath] = [join(home, 'config.toml'), join(home, 'profiles.json')];
	writeFileSync(configPath, 'read-only = true\n');
	const files = new Map<string, string>();
	let count = 0;

	function start(change: Change = {}) {
		const { words = [], env = {}, size = [80, 24] } = change;
		count += 1;
		const path = join(home, `output-${count}`);
		const fd = openSync(path, 'w');
		onTestFinished(() => closeSync(fd));
		const events = new EventEmitter();
		const calls: string[] = [];
		const turns: (() => void)[] = [];
		const program = Object.assign(events, {
			stdin: {
				isTTY: change.isInputTerminal ?? true,
				setRawMode: (isRaw: boolean) => calls.push(isRaw ? 'raw' : 'cooked'),
			},
			stdout: { isTTY: change.isOutputTerminal ?? true, columns: size[0], rows: size[1], fd },
			env: { HOME: home, ...env },
			argv: ['node', 'crowsnest', ...words],
			pid: 7,
			kill: (pid: number, signal: string) => calls.push(`${signal} to ${pid}`),
		}) as unknown as PictureProgram & EventEmitter;
		const kept = showKeptPicture({
			...{ program, folder: home, now: () => now },
			choosingFiles: [configPath, profilesPath],
			nextTurn: call => turns.push(call),
			read: file => files.get(file),
		});
		const turn = () => {
			for (const call of turns.splice(0)) call();
		};
		return { kept, events, calls, turn, output: () => readFileSync(path, 'utf8') };
	}

	return {
		...{ start, configPath, profilesPath },
		/** Keeps a picture as the monitor of such a start does. */
		keepFrom(change: Change = {}) {
			const [columns, rows] = change.size ?? [80, 24];
			const place = start(change).kept?.placeFor(columns, rows);
			if (!place) throw new Error('no place for pictures');
			files.set(place.path, pictureText(place, picture));
			return place;
		},
	};
}

test('a start shows the picture that the last one kept, on the alternate screen and without echo', () => {
	const { start, keepFrom } = createStarts();
	keepFrom();
	const { output, calls } = start();
	expect(output()).toBe(drawn);
	expect(calls).toEqual(['raw']);
});

test('a start with other words, another size, another account, another configuration or without a terminal shows no picture', () => {
	const { start, keepFrom, configPath } = createStarts();
	const place = keepFrom();
	const others: Change[] = [
		{ words: ['--all-profiles'] },
		{ size: [100, 24] },
		{ size: [80, 25] },
		{ isInputTerminal: false },
		{ isOutputTerminal: false },
		...pictureVariables.map(name => ({ env: { [name]: 'another' } })),
	];
	for (const change of others) {
		const { output, calls } = start(change);
		expect(output(), JSON.stringify(change)).toBe('');
		expect(calls).toEqual([]);
	}
	expect(start().output()).toBe(drawn);
	const early = start();
	writeFileSync(configPath, 'read-only = false\n');
	expect(start().output()).toBe('');
	// A run keeps its picture for starts with the configuration that it has opened.
	expect(early.kept?.placeFor(80, 24).shownFor).toBe(place.shownFor);
});

test('a start shows no picture after other profiles were remembered', () => {
	const { start, keepFrom, profilesPath } = createStarts();
	keepFrom();
	writeFileSync(profilesPath, '{"profiles":["lab"]}');
	expect(start().output()).toBe('');
});

test('a start on a slow line, or whose account is chosen by a token, shows and keeps no picture', () => {
	const { start } = createStarts();
	expect(start({ words: ['--low-bandwidth'] }).kept).toBeUndefined();
	expect(start({ env: { CROWSNEST_TOKEN: 'secret' } }).kept).toBeUndefined();
});

test('the place of a picture depends on every variable that chooses the account, and on no secret', () => {
	const variables: readonly string[] = pictureVariables;
	const settings = [...Object.values(accountSettings), programSettings.profile];
	const choosing = settings.flatMap(row =>
		'variable' in row && row.variable ? [row.variable] : [],
	);
	// The anonymous key belongs to the platform and chooses no account, but it is a secret like the password.
	expect(
		Object.values(accountSecrets)
			.map(row => row.variable)
			.sort(),
	).toEqual(['CROWSNEST_PASSWORD', 'CROWSNEST_TOKEN']);
	const secrets = ['CROWSNEST_ANON_KEY', 'CROWSNEST_PASSWORD'];
	expect(choosing.length).toBeGreaterThan(3);
	for (const name of choosing) expect(variables.includes(name), name).toBe(!secrets.includes(name));
	for (const name of Object.values(folderVariables)) expect(variables).toContain(name);
	const { keepFrom } = createStarts();
	const env = Object.fromEntries(secrets.map(name => [name, 'hunter2']));
	expect(keepFrom({ env }).shownFor).not.toContain('hunter2');
});

test('a start that fails or asks a question first gives the screen back, once', () => {
	const { start, keepFrom } = createStarts();
	keepFrom();
	const { kept, events, output, calls } = start();
	kept?.giveBack();
	expect(output()).toBe(drawn + cleared);
	expect(calls).toEqual(['raw', 'cooked']);
	kept?.giveBack();
	events.emit('exit', 0);
	expect(output()).toBe(drawn + cleared);
	expect(kept?.handOver()).toBeUndefined();
});

test('the screen is given back before an error is printed, at the end of the process, and by signals, which then end it', () => {
	const { start, keepFrom } = createStarts();
	keepFrom();
	for (const event of ['exit', 'uncaughtExceptionMonitor']) {
		const { events, output } = start();
		events.emit(event);
		expect(output()).toBe(drawn + cleared);
	}
	for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']) {
		const { events, output, calls } = start();
		events.emit(signal, signal);
		expect(output()).toBe(drawn + cleared);
		expect(calls).toEqual(['raw', 'cooked', `${signal} to 7`]);
		expect(events.listenerCount(signal)).toBe(0);
	}
});

test('the terminal takes the screen over with the picture, and nothing else touches it from then on', () => {
	const { start, keepFrom } = createStarts();
	keepFrom();
	const { kept, events, output, calls, turn } = start();
	expect(kept?.handOver()).toEqual(picture);
	turn();
	turn();
	expect(events.eventNames()).toEqual([]);
	kept?.giveBack();
	expect(output()).toBe(drawn);
	expect(calls).toEqual(['raw']);
});

test('a signal that comes while the program is loaded reaches the handler that the terminal installs', () => {
	const { start, keepFrom } = createStarts();
	keepFrom();
	const { kept, events, output, calls, turn } = start();
	kept?.handOver();
	const received: string[] = [];
	events.on('SIGTERM', signal => received.push(signal));
	turn();
	expect(events.listenerCount('SIGTERM')).toBe(2);
	events.emit('SIGTERM', 'SIGTERM');
	expect(received).toEqual(['SIGTERM']);
	expect(calls).toEqual(['raw']);
	expect(output()).toBe(drawn);
	turn();
	expect(events.listenerCount('SIGTERM')).toBe(1);
});

test('a picture with more lines than the screen is not shown', () => {
	const { start, keepFrom } = createStarts();
	keepFrom({ size: [80, 2] });
	expect(start({ size: [80, 2] }).output()).toBe('');
});
