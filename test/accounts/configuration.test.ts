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

test('the configuration reader reports every problem with the most similar setting', () => {
	const problems = problemsIn(`
		# a comment
		lockafter = "10m"
		colour = "rde"
		[profiles.work]
		url = "http://api.example.com/v1"
		description = """
		url = 3
		"""
		readOnly = "yes"
		confirm = { start = "never", delete = "off" }
		notify = { creditsLow = "Bell", creditsLeft = "soon" }
		keys = { stop = ["x", "hyper-x"] }
	`);
	expect(problems).toEqual([
		expect.stringMatching(/^colour must be one of "red", .*; did you mean "red"\?$/),
		expect.stringMatching(/^profiles\.work\.url must start with https:/),
		'profiles.work.readOnly must be true or false',
		'profiles.work.confirm.start must be one of "off", "ask", "wait", "type"',
		'profiles.work.confirm.delete must be one of "ask", "wait", "type"',
		'profiles.work.notify.creditsLow must be one of "off", "bell", "notify"; did you mean "bell"?',
		expect.stringMatching(/^profiles\.work\.notify\.creditsLeft must be a duration such as/),
		expect.stringMatching(/^profiles\.work\.keys\.stop must be a key such as/),
		expect.stringMatching(/^profiles\.work\.description is not a setting; the settings are url, /),
		'lockafter is not a setting; did you mean lockAfter?',
	]);
});

test.each<readonly [string, RegExp]>([
	...['confirm.start', 'confirm.stop', 'notify', 'keys', 'profiles', 'profiles.work'].map(
		name => [`${name} = 7`, new RegExp(`^${name} must be`)] as const,
	),
	['password = "hunter22"', /must not be stored here: use passwordCommand/],
	['profiles.a.password = "hunter22"', /must not be stored here: use passwordCommand/],
	['profiles.a.token = "hunter22"', /must not be stored here: use passwordCommand/],
	...[
		...['"pass show fleet"', '[]', '[""]', '["pass", 3]', '["pass\\u0000"]'],
		...['{ shell = "" }', '{ sh = "x" }'],
	].map(value => [`profiles.a.passwordCommand = ${value}`, /must be a list of words/] as const),
	[
		'production = true',
		/^production belongs in a profile, below a line such as \[profiles\.work\]$/,
	],
	['short = "w"', /^short belongs in a profile/],
	['profiles.a.maxRequestsPerMinute = 3', /applies to all accounts together: set it at the top/],
	[
		'profiles = ["work"]',
		/^profiles must be a table; the profiles to open are set as in profile =/,
	],
	['maxRequestsPerMinute = 0', /must be a whole number above 0$/],
	['maxRequestsPerMinute = 1.5', /must be a whole number above 0$/],
	['maxRequestsPerMinute = "60"', /must be a whole number above 0$/],
	['theme.bad = "rde"', /^theme\.bad must be one of "red", .*; did you mean "red"\?$/],
	['theme.error = "red"', /^theme\.error is not a setting/],
	['theme = "grey"', /^theme must be one of "dark", "light"/],
	[
		'theme.good = "#00ff00"',
		/^theme\.good is hard to see on a light background: its contrast is 1\.4:1; .* set theme\.background if yours is always dark$/,
	],
	[
		'profiles.a.theme = { background = "dark", bad = "#200000" }',
		/^profiles\.a\.theme\.bad is hard to see on a dark .*3:1$/,
	],
	['anonKey = "hunter22', /^not valid TOML in line 1: [^\n]+$/],
	['mouse = true\nmouse = true', /^not valid TOML in line 2: /],
	...['../../evil', '.hidden', 'a b', '', 'a'.repeat(65), 'a\\u001b[2J'].map(
		name => [`[profiles."${name}"]`, /cannot be the name of a profile/] as const,
	),
])('the configuration reader refuses “%s”, and the message quotes no secret', (text, message) => {
	const problems = problemsIn(text);
	expect(problems).toEqual([expect.stringMatching(message)]);
	expect(problems.join()).not.toMatch(/hunter22|\u001b/);
	expect(problemsIn('[profiles."Work_2.eu-west"]')).toEqual([]);
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

test.each<readonly [string, RegExp]>([
	...[
		...['http://api.example.com/v1', 'http://127.0.0.1.example.com/v1', 'ftp://localhost/v1'],
		...['http://localhost.example.com/v1', 'file:///v1', 'api.example.com/v1', ''],
	].map(text => [text, /https/] as const),
	['https://api.example.com', /end in \/v1/],
	['https://api.example.com/v2', /end in \/v1/],
	['https://api.example.com/v1?key=secret', /must not contain \? or #/],
	['https://api.example.com/v1#secret', /must not contain \? or #/],
	['https://someone:secret@api.example.com/v1', /user name or a password/],
])(
	'the program refuses the address “%s” with a message that does not quote the address',
	(text, why) => {
		const [wrong = ''] = problemsIn('[profiles.work]', `url = ${JSON.stringify(text)}`);
		expect(wrong).toMatch(why);
		expect(wrong).not.toContain('secret');
	},
);

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

const commandFrom = (...lines: readonly string[]) => {
	const { commands, problems } = ownCommandsIn(['[commands.tool]', ...lines].join('\n'));
	return {
		command: commands[0],
		problems: problems.map(({ message }) => message),
	};
};

test('by default, a command asks, may change something, and shows its output', () => {
	expect(commandFrom('command = ["df", "{name}"]')).toEqual({
		command: {
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
		problems: [],
	});
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
	expect(commandFrom(text)).toMatchObject({ command: expected, problems: [] });
});

test.each([
	[
		'command = ["echo", "x{name}"]',
		'commands.tool.command contains {name} inside "x{name}"; it can only be a whole argument',
	],
	['command = ["{name}"]', 'commands.tool.command must begin with the name of a program'],
	[
		'command = "echo hi"',
		'commands.tool.command must be a list of words, or a script with shell = true',
	],
	[
		'shell = true\ncommand = "echo {name}"',
		'commands.tool.command contains {name}; a script gets the values as "$1" to "$5" instead',
	],
	[
		'shell = true\ncommand = ["a", "b"]',
		'commands.tool.command must be one text, because it is a script (shell = true)',
	],
	...(
		[
			['{ name = "url" }', 'inputs.name is the name of another value'],
			['{ name = "a b" }', 'inputs.name must be a name of letters, digits and "_"'],
			['{ label = "To" }', 'inputs has no name'],
			['{ name = "to" }, { name = "to" }', 'inputs name one twice'],
			['{ name = "to", options = [] }', 'inputs.options must be a list of words'],
			['{ name = "to", choices = ["a"] }', 'inputs.choices is not a setting'],
			['{ name = "to" }, { name = "by" }', 'command asks for by, and does not use {by}'],
			['"to"', 'inputs must be a table'],
		] as const
	).map(([inputs, problem]): [string, string] => [
		`command = ["tool", "{to}"]\ninputs = [${inputs}]`,
		`commands.tool.${problem}`,
	]),
	[
		'command = ["{to}"]\ninputs = [{ name = "to" }]',
		'commands.tool.command must begin with the name of a program',
	],
	[
		'shell = true\ncommand = "echo {to}"\ninputs = [{ name = "to" }]',
		'commands.tool.command contains {to}; a script gets the values as "$1" to "$6" instead',
	],
	['key = "S"', 'commands.tool has no command'],
	[
		'command = ["a"]\noutput = "terminal"\non = "marked"',
		'commands.tool.on must be "one", because one command at a time can have the terminal',
	],
	['command = ["a"]\nphases = ["asleep"]', 'commands.tool.phases must be one of'],
	['command = ["a"]\nkey = ["a", "b"]', 'commands.tool.key must be one key'],
	['command = ["a"]\nkeys = "a"', 'commands.tool.keys is not a setting; did you mean key?'],
	['command = []', 'commands.tool.command must be a list of words'],
	['command = ["df"]\nconfirm = "maybe"', 'commands.tool.confirm must be one of'],
])('the command “%s” is left out, and its line and the reason are known', (text, problem) => {
	const { command, problems } = commandFrom(text);
	expect(command).toBeUndefined();
	expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('a wrong command leaves the other commands and all other settings valid', () => {
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

test('a wrong hook disables only itself, and its problem names the hook', () => {
	const text = `
		readOnly = true
		[[hooks]]
		on = ["computerFailed"]
		command = ["one"]
		[[hooks]]
		on = ["computerFaild"]
		command = ["two"]
		[[hooks]]
		on = "stateChanged"
		to = ["stoped"]
		command = "three"
		[profiles.work]
		short = "wk"
		[[hooks]]
		on = ["creditsLow"]
		from = ["active"]
		command = ["four"]
		[[hooks]]
		on = ["accountDown"]
		[[hooks]]
		on = ["stateChanged"]
		from = "active"
		command = ["five", "{id}"]
		cooldown = "5m"
		timeout = "1m"
		maxRunning = 1
	`;
	const { config, problems } = configFrom(text);
	expect(problems).toEqual([]);
	expect(config.readOnly).toBe(true);
	expect(config.hooks.hooks).toMatchObject([
		{ on: ['computerFailed'], command: ['one'], cooldownMs: 60_000, timeoutMs: 10_000 },
		{ from: ['active'], command: ['five', '{id}'], cooldownMs: 300_000, maxRunning: 1 },
	]);
	expect(config.hooks.problems.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^hooks\.2\.on must be one of .*did you mean "computerFailed"\?$/),
		expect.stringMatching(/^hooks\.3\.to must be one of .*did you mean "stopped"\?$/),
		expect.stringMatching(/^hooks\.3\.command must be a program with its arguments/),
		expect.stringMatching(/^hooks\.4 has from or to, which only "stateChanged" uses$/),
		expect.stringMatching(/^hooks\.5 has no command; /),
	]);
});
