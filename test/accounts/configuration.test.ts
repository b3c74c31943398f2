import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { hookExample } from '../../source/accounts/hook-settings.ts';
import { keyNameFrom } from '../../source/accounts/key-spelling.ts';
import { reasonToDistrust } from '../../source/accounts/private-file.ts';
import {
	accountSettings,
	noticeSettings,
	preferenceSettings,
	profileSettings,
	programSettings,
	questionSettings,
} from '../../source/accounts/settings.ts';
import { checkedAnswer } from '../../source/accounts/sign-in-fields.ts';

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
	const problems = problemsIn(
		'# a comment',
		'lockafter = "10m"',
		'colour = "rde"',
		'[profiles.work]',
		'url = "http://api.example.com/v1"',
		'description = """',
		'url = 3',
		'"""',
		'readOnly = "yes"',
		'[profiles.work.confirm]',
		'start = "never"',
		'delete = "off"',
		'[profiles.work.notify]',
		'creditsLow = "Bell"',
		'creditsLeft = "soon"',
		'[profiles.work.keys]',
		'stop = [',
		'  "x",',
		'  "hyper-x",',
		']',
	);
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

test.each(['confirm.start', 'confirm.stop', 'notify', 'keys', 'profiles', 'profiles.work'])(
	'the configuration reader refuses a value of the wrong type for “%s”',
	name => {
		expect(problemsIn('', `${name} = 7`)).toEqual([expect.stringMatching(`^${name} must be`)]);
	},
);

test.each([
	'password = "hunter22"',
	'[profiles.a]\npassword = "hunter22"',
	'[profiles.a]\ntoken = "hunter22"',
])(
	'the configuration %j is refused because of its secret, and the message does not quote the secret',
	text => {
		const { problems } = configFrom(text);
		expect(problems).toEqual([
			expect.objectContaining({
				message: expect.stringContaining('must not be stored here: use passwordCommand'),
			}),
		]);
		expect(JSON.stringify(problems)).not.toContain('hunter22');
	},
);

test.each([
	'"pass show fleet"',
	'[]',
	'[""]',
	'["pass", 3]',
	'["pass\\u0000"]',
	'{ shell = "" }',
	'{ sh = "x" }',
])('the configuration reader refuses the password command `%s`', command => {
	expect(problemsIn('[profiles.a]', `passwordCommand = ${command}`)).toEqual([
		expect.stringContaining('must be a list of words'),
	]);
});

test('the configuration reader refuses a profile whose name cannot be a file name', () => {
	for (const name of ['../../evil', '.hidden', 'a b', '', 'a'.repeat(65), 'a\\u001b[2J']) {
		const [problem] = configFrom(`\n[profiles."${name}"]\nurl = "https://a.example/v1"`).problems;
		expect(problem).toMatchObject({
			message: expect.stringContaining('cannot be the name of a profile'),
		});
		expect(problem?.message).not.toContain('\u001b');
	}
	expect(configFrom('[profiles."Work_2.eu-west"]').problems).toEqual([]);
});

test('the configuration reader reports the line number of invalid TOML without quoting the line', () => {
	const { problems } = configFrom('readOnly = true\nanonKey = "hunter22\n');
	expect(problems).toMatchObject([
		{ message: expect.stringMatching(/^not valid TOML in line 2: [^\n]+$/) },
	]);
	expect(JSON.stringify(problems)).not.toContain('hunter22');
	expect(configFrom('readOnly = true\nreadOnly = true').problems).toMatchObject([
		{ message: expect.stringContaining('in line 2') },
	]);
});

test('the example configuration is valid as it is, and with every setting uncommented', () => {
	const example = configExample();
	expect(configFrom(example)).toMatchObject({ problems: [] });
	const { config, problems } = configFrom(example.replace(/^#(?=[[\w])/gm, ''));
	expect(problems).toEqual([]);
	const { confirm, ...profile } = config.profiles?.get('work') ?? {};
	expect(Object.keys(profile)).toEqual(Object.keys({ ...accountSettings, ...profileSettings }));
	expect(Object.keys(confirm ?? {})).toEqual(Object.keys(questionSettings));
	expect(Object.keys(config.notify ?? {})).toEqual(Object.keys(noticeSettings));
	expect(Object.keys(config)).toEqual(
		expect.arrayContaining(Object.keys({ ...programSettings, ...preferenceSettings })),
	);
});

test('a setting in the wrong place is refused with the place where it belongs', () => {
	expect(problemsIn('production = true\nshort = "w"')).toEqual([
		'production belongs in a profile, below a line such as [profiles.work]',
		'short belongs in a profile, below a line such as [profiles.work]',
	]);
	expect(problemsIn('[profiles.work]\nmaxRequestsPerMinute = 3')).toEqual([
		'profiles.work.maxRequestsPerMinute applies to all accounts together: set it at the top of the file',
	]);
	expect(problemsIn('profiles = ["work", "lab"]')).toEqual([
		'profiles must be a table; the profiles to open are set as in profile = ["work", "lab"]',
	]);
});

test.each(['0', '-1', '1.5', '"60"'])('maxRequestsPerMinute cannot be %s', wrong => {
	expect(problemsIn(`maxRequestsPerMinute = ${wrong}`)).toEqual([
		'maxRequestsPerMinute must be a whole number above 0',
	]);
});

test.each([
	['https://api.example.com/v1', 'https://api.example.com/v1'],
	['https://api.example.com/v1/', 'https://api.example.com/v1'],
	['https://api.example.com/prefix/v1', 'https://api.example.com/prefix/v1'],
	['http://127.0.0.1:8787/v1', 'http://127.0.0.1:8787/v1'],
	['http://[::1]:8787/v1', 'http://[::1]:8787/v1'],
	['http://localhost/v1', 'http://localhost/v1'],
])('the program accepts the platform address “%s”', (text, address) => {
	expect(checkedAnswer('url', text)).toEqual({ value: address });
});

test.each([
	['http://api.example.com/v1', /https/],
	['http://127.0.0.1.example.com/v1', /https/],
	['http://localhost.example.com/v1', /https/],
	['ftp://localhost/v1', /https/],
	['file:///v1', /https/],
	['api.example.com/v1', /https/],
	['', /https/],
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

test.each([
	'https://id.example.com',
	'https://id.example.com/',
	'https://id.example.com/auth/v1',
	'https://id.example.com/auth/v1/token',
	'https://id.example.com/auth/v1/token?grant_type=password',
])('the program finds the address of the identity provider in “%s”', text => {
	expect(checkedAnswer('authUrl', text)).toEqual({ value: 'https://id.example.com' });
});

test.each([
	['x', 'x'],
	['G', 'G'],
	['?', '?'],
	['-', '-'],
	['ä', 'ä'],
	[' ', 'space'],
	['Space', 'space'],
	['Esc', 'escape'],
	['Escape', 'escape'],
	['Return', 'enter'],
	['PgDn', 'pagedown'],
	['page up', 'pageup'],
	['Page-Down', 'pagedown'],
	['Del', 'delete'],
	['Ins', 'insert'],
	['F5', 'f5'],
	['Ctrl-L', 'ctrl-l'],
	['ctrl+x', 'ctrl-x'],
	['C-c', 'ctrl-c'],
	['M-m', 'alt-m'],
	['^X', 'ctrl-x'],
	['^', '^'],
	['Ctrl-Space', 'ctrl-space'],
	['shift-g', 'G'],
	['S-Tab', 'shift-tab'],
	['Alt-Ctrl-X', 'ctrl-alt-x'],
	['Control-Alt-Delete', 'ctrl-alt-delete'],
	['shift-alt-up', 'alt-shift-up'],
	['alt--', 'alt--'],
])('a binding in the configuration to “%s” means the key “%s” of the keyboard', (text, name) => {
	expect(keyNameFrom(text)).toBe(name);
});

test.each([
	'',
	'xx',
	'f13',
	'f0',
	'ctrl',
	'ctrl-',
	'ctrl-ctrl-x',
	'hyper-x',
	'\u001b',
	'\u200b',
	'constructor',
	'ctrl-constructor',
])('the configuration reader refuses the text %j, which is not a key', text => {
	expect(keyNameFrom(text)).toBeUndefined();
});

const refusalOf = (keys: unknown) =>
	configFrom(`keys.stop = ${JSON.stringify(keys)}`).problems.map(({ message }) => message);

test.each([
	...['ctrl-i', 'ctrl-m', 'ctrl-h', 'ctrl-j', 'ctrl-[', 'ctrl-1', 'ctrl-shift-l', 'alt-shift-x'],
	...['shift-enter', 'shift-space', 'ctrl-enter', 'ctrl-backspace', 'alt-esc', 'shift-1'],
])(
	'the configuration reader refuses the key “%s”, because a terminal sends it as another key',
	key => {
		expect(refusalOf(key)).toEqual([
			expect.stringMatching(
				/^keys\.stop must be a key .*; terminals do not distinguish ".*" from other keys$/,
			),
		]);
	},
);

test('the message about a wrong key names the key, and never suggests a key that would be refused', () => {
	const [message = ''] = refusalOf(['x', 'hyper-x']);
	expect(message).toMatch(/; "hyper-x" is not a key$/);
	const offered = [...message.matchAll(/"([^"]+)"/g)].map(([, key = '']) => key).slice(0, -1);
	expect(offered.length).toBeGreaterThan(3);
	expect(offered.map(keyNameFrom)).toEqual(offered);
	expect(refusalOf(7)).toEqual([expect.stringMatching(/or a list of them$/)]);
});

test('the configuration reader ignores a second spelling of a key that is configured twice', () => {
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
			phases: expect.arrayContaining(['active', 'stopped', 'error']),
			on: 'marked',
			changes: true,
			confirm: 'wait',
			output: 'pane',
		},
		problems: [],
	});
});

test('a command that uses the terminal runs on one computer only, and a command that changes nothing does not ask', () => {
	const { command } = commandFrom(
		'command = "less"\nshell = true\noutput = "terminal"\nchanges = false\nkey = "shift-s"',
	);
	expect(command).toMatchObject({
		program: { type: 'shell', script: 'less' },
		on: 'one',
		changes: false,
		confirm: 'off',
		key: 'S',
	});
});

test('a command asks for y and counts down unless it changes nothing, or its setting says otherwise', () => {
	const confirmOf = (...lines: readonly string[]) =>
		commandFrom(['command = ["df"]', ...lines].join('\n')).command?.confirm;
	expect(confirmOf('confirm = true')).toBe('wait');
	expect(confirmOf('confirm = false')).toBe('off');
	expect(confirmOf('changes = false', 'confirm = true')).toBe('ask');
	for (const word of ['off', 'ask', 'wait', 'type'] as const)
		expect(confirmOf(`confirm = "${word}"`)).toBe(word);
	expect(commandFrom('command = ["df"]\nconfirm = "maybe"').problems).toHaveLength(1);
});

test('a command without output is ended after a minute, unless it has a timeout', () => {
	const quiet = 'command = ["true"]\noutput = "none"';
	expect(commandFrom(quiet).command?.timeoutMs).toBe(60_000);
	expect(commandFrom(quiet, 'timeout = "5s"').command?.timeoutMs).toBe(5_000);
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
	['key = "S"', 'commands.tool has no command'],
	[
		'command = ["a"]\noutput = "terminal"\non = "marked"',
		'commands.tool.on must be "one", because one command at a time can have the terminal',
	],
	['command = ["a"]\nphases = ["asleep"]', 'commands.tool.phases must be one of'],
	['command = ["a"]\nkey = ["a", "b"]', 'commands.tool.key must be one key'],
	['command = ["a"]\nkeys = "a"', 'commands.tool.keys is not a setting; did you mean key?'],
	['command = []', 'commands.tool.command must be a list of words'],
])('the command “%s” is left out, and its line and the reason are known', (text, problem) => {
	const { command, problems } = commandFrom(text);
	expect(command).toBeUndefined();
	expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('a script may use shell variables with the same names as placeholders', () => {
	const { problems } = commandFrom('shell = true', `command = 'id=$1; echo \${id}'`);
	expect(problems).toEqual([]);
});

test('a wrong command leaves the other commands and all other settings valid', () => {
	const text =
		'theme = "dark"\n[commands.bad]\n[commands.good]\ncommand = ["true"]\n[commands."a b"]\n';
	const { commands, problems } = ownCommandsIn(text);
	expect(commands.map(({ name }) => name)).toEqual(['good']);
	expect(problems).toHaveLength(2);
	expect(configFrom(text)).toMatchObject({ config: { theme: 'dark' }, problems: [] });
	expect(ownCommandsIn('commands = 3').problems).toMatchObject([
		{ message: 'commands must be tables such as [commands.ssh]' },
	]);
});

test('the presets of the example are commented out, and valid when uncommented', () => {
	expect(ownCommandsIn(configExample()).commands).toEqual([]);
	const uncommented = configExample().replace(/^#(?! )/gm, '');
	const { commands, problems } = ownCommandsIn(uncommented);
	expect(problems).toEqual([]);
	expect(commands.map(({ name, output }) => [name, output])).toEqual([
		['ssh', 'terminal'],
		['open', 'none'],
	]);
});

describe('the programs of a configuration are not run', () => {
	function configIn(mode: { file?: number; folder?: number } = {}) {
		const folder = mkdtempSync(join(tmpdir(), 'crowsnest-trust-'));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		const config = join(folder, 'crowsnest');
		mkdirSync(config);
		const path = join(config, 'config.toml');
		writeFileSync(path, '');
		chmodSync(path, mode.file ?? 0o600);
		chmodSync(config, mode.folder ?? 0o700);
		return path;
	}

	test('if others can write the file or its folder', () => {
		expect(reasonToDistrust(configIn())).toBeUndefined();
		expect(reasonToDistrust(configIn({ file: 0o644, folder: 0o755 }))).toBeUndefined();
		const path = configIn({ file: 0o664 });
		expect(reasonToDistrust(path)).toBe(
			`${path} can be written by others (its mode is 0664); run chmod go-w on it`,
		);
		expect(reasonToDistrust(configIn({ file: 0o602 }))).toContain('0602');
		expect(reasonToDistrust(configIn({ folder: 0o770 }))).toContain('0770');
		expect(reasonToDistrust(configIn({ folder: 0o1777 }))).toContain('0777');
	});

	test('if the file is a link to a file that others can write', () => {
		const [link, target] = [configIn(), configIn({ folder: 0o777 })];
		rmSync(link);
		symlinkSync(target, link);
		expect(reasonToDistrust(link)).toContain('0777');
	});

	test('but a missing file is no reason', () => {
		expect(reasonToDistrust(join(configIn(), '..', 'other.toml'))).toBeUndefined();
	});
});

test('a wrong hook disables only itself, and its problem names the hook', () => {
	const text = [
		'readOnly = true',
		'[[hooks]]',
		'on = ["computerFailed"]',
		'command = ["one"]',
		'',
		'[[hooks]]',
		'on = ["computerFaild"]',
		'command = ["two"]',
		'[[hooks]]',
		'on = "stateChanged"',
		'to = ["stoped"]',
		'command = "three"',
		'[profiles.work]',
		'short = "wk"',
		'[[hooks]]',
		'on = ["creditsLow"]',
		'from = ["active"]',
		'command = ["four"]',
		'[[hooks]]',
		'on = ["accountDown"]',
		'[[hooks]]',
		'on = ["stateChanged"]',
		'from = "active"',
		'command = ["five", "{id}"]',
		'cooldown = "5m"',
		'timeout = "1m"',
		'maxRunning = 1',
	].join('\n');
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

test('the hooks of the example configuration can be used', () => {
	expect(configExample()).toContain(hookExample);
	const { config, problems } = configFrom(hookExample.replaceAll(/^#(?=\S)/gm, ''));
	expect(problems).toEqual([]);
	expect(config.hooks.problems).toEqual([]);
	expect(config.hooks.hooks).toHaveLength(3);
});
