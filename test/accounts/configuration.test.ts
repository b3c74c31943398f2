import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { keyNameFrom } from '../../source/accounts/key-spelling.ts';
import { reasonToDistrust } from '../../source/accounts/private-file.ts';
import {
	accountSettings,
	noticeSettings,
	preferenceSettings,
	profileSettings,
	programSettings,
	questionSettings,
	sshSettings,
} from '../../source/accounts/settings.ts';
import { checkedAnswer } from '../../source/accounts/sign-in-fields.ts';
import { wrongCommands } from '../commands/wrong-configuration.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

const problemsIn = (...lines: readonly string[]) =>
	configFrom(lines.join('\n')).problems.map(({ message }) => message);

test('the configuration reader reads a valid configuration', () => {
	const { config, problems } = configFrom(`
		profile = "work"
		lockAfter = "never"
		[profiles.work]
		url = "https://api.example.com/v1/"
		passwordCommand = { shell = "pass show fleet | head -1" }
		confirm = { start = "off", stop = "type" }
		[profiles.work.keys]
		stop = ["ctrl-X", "F5"]
		palette = []
	`);
	expect(problems).toEqual([]);
	expect(config).toMatchObject({ profile: ['work'], lockAfter: Number.POSITIVE_INFINITY });
	expect(config.profiles?.get('work')).toEqual({
		url: 'https://api.example.com/v1',
		passwordCommand: { shell: 'pass show fleet | head -1' },
		confirm: { start: 'off', stop: 'type' },
		keys: [
			{ action: 'stop', keys: ['ctrl-x', 'f5'] },
			{ action: 'palette', keys: [] },
		],
	});
});

test.each<readonly [string, RegExp]>([
	['profiles = 7', /^profiles must be a table/],
	[
		'profiles = ["work"]',
		/^profiles must be a table; the profiles to open are set as in profile =/,
	],
	['maxRequestsPerMinute = 0', /must be a whole number above 0$/],
	['maxRequestsPerMinute = "60"', /must be a whole number above 0$/],
	['anonKey = "hunter22', /^not valid TOML in line 1: (?!.*hunter22)[^\n]+$/],
	['mouse = true\nmouse = true', /^not valid TOML in line 2: /],
])('the configuration “%s” is refused', (text, message) => {
	expect(problemsIn(text)).toEqual([expect.stringMatching(message)]);
});

test('the example configuration sets nothing, and is valid with every setting uncommented', () => {
	const example = configExample();
	const { config: asItIs, problems: none } = configFrom(example);
	expect([none, asItIs.commands.commands, asItIs.hooks.hooks]).toEqual([[], [], []]);
	const { config, problems } = configFrom(example.replace(/^#(?=[[\w])/gm, ''));
	expect(problems).toEqual([]);
	const { confirm, ...profile } = config.profiles?.get('work') ?? {};
	expect(Object.keys(profile)).toEqual(Object.keys({ ...accountSettings, ...profileSettings }));
	expect(Object.keys(confirm ?? {})).toEqual(Object.keys(questionSettings));
	expect(Object.keys(config.notify ?? {})).toEqual(Object.keys(noticeSettings));
	expect(Object.keys(config.ssh ?? {})).toEqual(Object.keys(sshSettings));
	expect(Object.keys(config)).toEqual(
		expect.arrayContaining(Object.keys({ ...programSettings, ...preferenceSettings })),
	);
	const { commands, problems: wrongCommands } = config.commands;
	expect([...wrongCommands, ...config.hooks.problems]).toEqual([]);
	expect(commands.map(({ name, output }) => [name, output])).toEqual([
		['top', 'terminal'],
		['open', 'none'],
	]);
	expect(config.hooks.hooks).toHaveLength(3);
});

test('the program accepts the address of a platform and of its identity provider in each form', () => {
	for (const address of [
		'https://api.example.com/v1',
		'https://api.example.com/prefix/v1',
		'http://127.0.0.1:8787/v1',
		'http://[::1]:8787/v1',
		'http://localhost/v1',
	]) {
		expect(checkedAnswer('url', address)).toEqual({ value: address });
		expect(checkedAnswer('url', `${address}/`)).toEqual({ value: address });
	}
	for (const path of ['', '/', '/auth/v1', '/auth/v1/token', '/auth/v1/token?grant_type=password'])
		expect(checkedAnswer('authUrl', `https://id.example.com${path}`)).toEqual({
			value: 'https://id.example.com',
		});
});

test.each([
	['token', 'two words', 'must not contain spaces or control characters'],
	['anonKey', 'key\r\nX-Evil: 1', 'must not contain spaces or control characters'],
	['anonKey', ' ', 'is required'],
	['password', '', 'is required'],
	['profile', '../evil', expect.stringContaining('cannot be the name of a profile')],
] as const)('the answer for %s cannot be “%s”', (field, text, problem) => {
	expect(checkedAnswer(field, text)).toEqual({ problem });
});

test('a key can be spelled in each way that people know, and has one name', () => {
	const spellings =
		'x=x G=G ?=? -=- ä=ä Space=space Esc=escape Escape=escape Return=enter PgDn=pagedown Page-Down=pagedown ' +
		'Del=delete Ins=insert F5=f5 Ctrl-L=ctrl-l ctrl+x=ctrl-x C-c=ctrl-c M-m=alt-m ^X=ctrl-x ^=^ ' +
		'Ctrl-Space=ctrl-space shift-g=G S-Tab=shift-tab Alt-Ctrl-X=ctrl-alt-x alt--=alt-- ' +
		'Control-Alt-Delete=ctrl-alt-delete shift-alt-up=alt-shift-up';
	for (const spelling of spellings.split(' ')) {
		const [text = '', name] = spelling.split('=');
		expect(keyNameFrom(text)).toBe(name);
	}
	expect([' ', 'page up'].map(keyNameFrom)).toEqual(['space', 'pageup']);
	const wrong = 'xx f13 f0 ctrl ctrl- ctrl-ctrl-x hyper-x constructor ctrl-constructor'.split(' ');
	for (const text of ['', '\u001b', '\u200b', ...wrong]) expect(keyNameFrom(text)).toBeUndefined();
});

test('a key that a terminal sends as another is refused, and the message suggests only keys that can be used', () => {
	const refusalOf = (keys: unknown) => problemsIn(`keys.stop = ${JSON.stringify(keys)}`);
	const same =
		'ctrl-i ctrl-m ctrl-h ctrl-j ctrl-[ ctrl-1 ctrl-shift-l alt-shift-x shift-enter shift-space ctrl-enter ' +
		'ctrl-backspace alt-esc shift-1';
	for (const key of same.split(' '))
		expect(refusalOf(key)).toEqual([
			expect.stringMatching(
				/^keys\.stop must be .*; terminals do not distinguish ".*" from other keys$/,
			),
		]);
	const [message = ''] = refusalOf(['x', 'hyper-x']);
	expect(message).toMatch(/; "hyper-x" is not a key$/);
	const offered = [...message.matchAll(/"([^"]+)"/g)].map(([, key = '']) => key).slice(0, -1);
	expect(offered.length).toBeGreaterThan(3);
	expect(offered.map(keyNameFrom)).toEqual(offered);
	expect(refusalOf(7)).toEqual([expect.stringMatching(/or a list of them$/)]);
	const { config } = configFrom('keys.stop = ["Esc", "escape", "PgUp", "pageup"]');
	expect(config.keys).toMatchObject([{ action: 'stop', keys: ['escape', 'pageup'] }]);
});

const ownCommandsIn = (text: string) => configFrom(text).config.commands;

test('by default, a command asks, may change something, and shows its output', () => {
	const { commands, problems } = ownCommandsIn('[commands.tool]\ncommand = ["df", "{name}"]');
	expect(problems).toEqual([]);
	expect(commands).toEqual([
		{
			name: 'tool',
			label: 'tool',
			program: { type: 'words', words: ['df', '{name}'] },
			inputs: [],
			phases: expect.arrayContaining(['active', 'stopped', 'error']),
			on: 'marked',
			changes: true,
			confirm: 'wait',
			output: 'pane',
		},
	]);
});

test.each([
	['command = ["df"]\nconfirm = true', { confirm: 'wait' }],
	['command = ["df"]\nconfirm = false', { confirm: 'off' }],
	['command = ["df"]\nconfirm = "type"', { confirm: 'type' }],
	['command = ["df"]\nchanges = false', { confirm: 'off', on: 'marked' }],
	['command = ["df"]\nchanges = false\nconfirm = true', { confirm: 'ask' }],
	['command = ["true"]\noutput = "none"', { timeoutMs: 60_000 }],
	['command = ["true"]\noutput = "none"\ntimeout = "5s"', { timeoutMs: 5_000 }],
	['command = ["top"]\noutput = "terminal"\nkey = "shift-s"', { on: 'one', key: 'S' }],
	[
		'command = ["tool", "{to}"]\ninputs = [{ name = "to", options = ["a", "b"] }]',
		{ inputs: [{ name: 'to', label: 'to', options: ['a', 'b'] }] },
	],
	[
		`shell = true\ncommand = 'id=$1; echo \${id}'`,
		{ program: { type: 'shell', script: expect.stringContaining('echo') } },
	],
])('the command “%s” is %j', (text, expected) => {
	const read = ownCommandsIn(`[commands.tool]\n${text}`);
	expect(read).toMatchObject({ commands: [expected], problems: [] });
});

test('a wrong command is left out, and leaves the other commands and all other settings valid', () => {
	expect(ownCommandsIn(wrongCommands).commands).toEqual([]);
	const text =
		'theme = "dark"\n[commands.bad]\n[commands.good]\ncommand = ["true"]\n[commands."a b"]\n';
	const { commands, problems } = ownCommandsIn(text);
	expect(commands.map(({ name }) => name)).toEqual(['good']);
	expect(problems).toHaveLength(2);
	expect(configFrom(text)).toMatchObject({
		config: { theme: { background: 'dark' } },
		problems: [],
	});
	expect(ownCommandsIn('commands = 3').problems).toMatchObject([
		{ message: 'commands must be tables such as [commands.ssh]' },
	]);
});

test('the programs of a configuration are not run if others can write the file, its folder, or what it links to', () => {
	function configIn(mode: { file?: number; folder?: number } = {}) {
		const folder = temporaryFolder();
		const path = join(folder, 'config.toml');
		writeFileSync(path, '');
		chmodSync(path, mode.file ?? 0o600);
		chmodSync(folder, mode.folder ?? 0o700);
		return path;
	}
	expect(reasonToDistrust(configIn())).toBeUndefined();
	expect(reasonToDistrust(configIn({ file: 0o644, folder: 0o755 }))).toBeUndefined();
	expect(reasonToDistrust(join(configIn(), '..', 'other.toml'))).toBeUndefined();
	const path = configIn({ file: 0o664 });
	expect(reasonToDistrust(path)).toBe(
		`${path} can be written by others (its mode is 0664); run chmod go-w on it`,
	);
	expect(reasonToDistrust(configIn({ file: 0o602 }))).toContain('0602');
	expect(reasonToDistrust(configIn({ folder: 0o770 }))).toContain('0770');
	expect(reasonToDistrust(configIn({ folder: 0o1777 }))).toContain('0777');
	const [link, target] = [configIn(), configIn({ folder: 0o777 })];
	rmSync(link);
	symlinkSync(target, link);
	expect(reasonToDistrust(link)).toContain('0777');
});

test('a wrong hook disables only itself', () => {
	const text = `
		readOnly = true
		[[hooks]]
		on = ["computerFailed"]
		command = ["one"]
		[[hooks]]
		on = ["computerFaild"]
		command = ["two"]
		[profiles.work]
		short = "wk"
		[[hooks]]
		on = ["stateChanged"]
		from = "active"
		command = ["three", "{id}"]
		cooldown = "5m"
		timeout = "1m"
		maxRunning = 1
	`;
	const { config, problems } = configFrom(text);
	expect(problems).toEqual([]);
	expect(config.readOnly).toBe(true);
	expect(config.hooks.hooks).toMatchObject([
		{ on: ['computerFailed'], command: ['one'], cooldownMs: 60_000, timeoutMs: 10_000 },
		{ from: ['active'], command: ['three', '{id}'], cooldownMs: 300_000, maxRunning: 1 },
	]);
	expect(config.hooks.problems).toHaveLength(1);
	expect(configFrom(wrongCommands).config.hooks.hooks).toEqual([]);
});
