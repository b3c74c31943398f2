import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configExample, configFrom } from '../../source/accounts/config-text.ts';
import { reasonToDistrust } from '../../source/accounts/private-file.ts';

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
