import type { Phase } from '../fleet/computers/computer.ts';
import { allPhases, existingPhases } from '../fleet/operations/operation-table.ts';
import {
	type OwnCommand,
	placeholderIn,
	placeholderNames,
} from '../fleet/operations/own-command.ts';
import type { Strictness } from '../fleet/operations/strictness.ts';
import { readKeyNames } from './key-spelling.ts';
import {
	createSettingPath,
	isTable,
	type SettingProblem,
	type SettingReader,
	tableReader,
} from './setting-reader.ts';
import { oneOfReader, readBoolean, readDuration, readNonEmptyText } from './setting-values.ts';

const readPhase = oneOfReader(...allPhases);

const readPhases: SettingReader<readonly Phase[]> = (value, path) => {
	if (!Array.isArray(value) || value.length === 0)
		return path.reject('must be a list of phases, such as ["active", "stopped"]');
	const phases = value.map(word => readPhase(word, path));
	return phases.filter(phase => phase !== undefined);
};

const readCommandKey: SettingReader<string> = (value, path) => {
	const keys = readKeyNames(value, path);
	const [key, ...others] = keys ?? [];
	if (keys && (key === undefined || others.length > 0)) return path.reject('must be one key');
	return key;
};

const readCommandText: SettingReader<string | readonly string[]> = (value, path) => {
	const texts = typeof value === 'string' ? [value] : value;
	const isRight =
		Array.isArray(texts) &&
		texts.length > 0 &&
		texts.every(text => typeof text === 'string' && !text.includes('\0'));
	return isRight && texts[0] !== ''
		? (value as string | readonly string[])
		: path.reject('must be a list of words, such as ["ping", "-c", "3", "--", "{address}"]');
};

const readStrictness = oneOfReader('off', 'ask', 'wait', 'type');

const readConfirm: SettingReader<Strictness | boolean> = (value, path) =>
	typeof value === 'boolean' ? value : readStrictness(value, path);

export const commandSettings = {
	key: {
		explanation: 'The key that runs the command in the table. Built-in keys take precedence.',
		example: '"S"',
		read: readCommandKey,
	},
	label: {
		explanation: 'The name of the command on screen; by default the name of its table.',
		example: '"ssh"',
		read: readNonEmptyText,
	},
	command: {
		explanation:
			'The program and its arguments. {id}, {name}, {address}, {account} and {url} stand for whole arguments. Its environment\n' +
			'has CROWSNEST_COMPUTER_ID, _NAME, _ADDRESS and _URL, and CROWSNEST_ACCOUNT.',
		example: '["ssh", "-l", "root", "--", "{address}"]',
		read: readCommandText,
	},
	shell: {
		explanation:
			'The command is a script for a shell, as text. It gets the values as $1 (id), $2 (name), $3 (address), $4\n' +
			'(account) and $5 (url), in its environment, and as JSON on stdin.',
		example: 'true',
		read: readBoolean,
	},
	phases: {
		explanation: 'The phases of a computer in which the command can be run.',
		example: '["active"]',
		read: readPhases,
	},
	on: {
		explanation: 'Whether the command runs on "one" computer only, or on all "marked" computers.',
		example: '"marked"',
		read: oneOfReader('one', 'marked'),
	},
	changes: {
		explanation:
			'Whether the command may change something. If so, the lock, read-only and a question apply.',
		example: 'false',
		read: readBoolean,
	},
	confirm: {
		explanation:
			'The question that comes first: "off", "ask" (y), "wait" (y, then 4 s in which Esc cancels) or "type" (the name, then 4 s).\n' +
			'By default "wait" if the command may change something, and "off" otherwise. true and false are these two.',
		example: '"ask"',
		read: readConfirm,
	},
	output: {
		explanation:
			'Where the output goes: to the "terminal", to a "pane" of the monitor, or nowhere ("none").',
		example: '"terminal"',
		read: oneOfReader('terminal', 'pane', 'none'),
	},
	timeout: {
		explanation:
			'The time limit of the command; by default 1m if its output is "none", and no limit otherwise.',
		example: '"30s"',
		read: readDuration,
	},
};

const readCommand = tableReader(commandSettings);

const usualTimeoutMs = 60_000;

/**
 * Reads the tables `[commands.NAME]` of a configuration. A command with a mistake is left out, and the other commands
 * work.
 */
export function ownCommandsFrom(tables: unknown): {
	commands: readonly OwnCommand[];
	problems: readonly SettingProblem[];
} {
	const problems: SettingProblem[] = [];
	if (tables === undefined) return { commands: [], problems };
	if (!isTable(tables)) {
		createSettingPath(problems, ['commands']).reject('must be tables such as [commands.ssh]');
		return { commands: [], problems };
	}
	const commands = Object.entries(tables).flatMap(([name, table]) => {
		const own: SettingProblem[] = [];
		const command = readOwnCommand(name, table, createSettingPath(own, ['commands', name]));
		problems.push(...own);
		return command && own.length === 0 ? [command] : [];
	});
	return { commands, problems };
}

function readOwnCommand(
	name: string,
	table: unknown,
	path: Parameters<SettingReader<unknown>>[1],
): OwnCommand | undefined {
	if (!/^[A-Za-z0-9_-]{1,32}$/.test(name))
		return path.reject(
			'cannot be the name of a command: use up to 32 letters, digits, "_" and "-"',
		);
	const values = readCommand(table, path);
	if (!values) return undefined;
	const { key, label = name, command, shell = false, changes = true, timeout } = values;
	const { output = 'pane', phases = existingPhases } = values;
	const { confirm: asks = changes, on = output === 'terminal' ? 'one' : 'marked' } = values;
	if (command === undefined)
		return isTable(table) && 'command' in table ? undefined : path.reject('has no command');
	if (output === 'terminal' && on === 'marked')
		path.child('on').reject('must be "one", because one command at a time can have the terminal');
	const program = programFrom(command, shell, path.child('command'));
	if (!program) return undefined;
	const asksYes = changes ? 'wait' : 'ask';
	const confirm = typeof asks === 'string' ? asks : asks ? asksYes : 'off';
	const timeoutMs = timeout ?? (output === 'none' ? usualTimeoutMs : undefined);
	return { name, key, label, program, phases, on, changes, confirm, output, timeoutMs };
}

function programFrom(
	command: string | readonly string[],
	isShell: boolean,
	path: Parameters<SettingReader<unknown>>[1],
): OwnCommand['program'] | undefined {
	if (isShell) {
		if (typeof command !== 'string')
			return path.reject('must be one text, because it is a script (shell = true)');
		const spliced = placeholderNames.find(name =>
			// In `${name}`, the braces belong to a variable of the shell and are no placeholder.
			command.replaceAll('${', '').includes(`{${name}}`),
		);
		// A value inside a script would be run as code, so placeholders are refused there. The shell's own variables
		// are safe.
		return spliced
			? path.reject(`contains {${spliced}}; a script gets the values as "$1" to "$5" instead`)
			: { type: 'shell', script: command };
	}
	if (typeof command === 'string')
		return path.reject('must be a list of words, or a script with shell = true');
	const [program = ''] = command;
	if (placeholderIn(program)) return path.reject('must begin with the name of a program');
	for (const word of command) {
		const name = placeholderNames.find(each => word.includes(`{${each}}`));
		if (name && !placeholderIn(word))
			return path.reject(
				`contains {${name}} inside ${JSON.stringify(word)}; it can only be a whole argument`,
			);
	}
	return { type: 'words', words: command };
}

/**
 * Returns commands for the example configuration. They are commented out, because a program must run only if the
 * person asked for it.
 */
export function commandPresets(): string {
	return [
		'# Own commands, each with a name of your choice. They run on this machine, as you.',
		...Object.entries(commandSettings).flatMap(([name, { explanation }]) =>
			`${name}: ${explanation}`.split('\n').map((line, at) => `#   ${at > 0 ? '  ' : ''}${line}`),
		),
		'# A shell on the computer under the cursor.',
		'#[commands.ssh]',
		'#key = "S"',
		'#command = ["ssh", "-l", "root", "--", "{address}"]',
		'#phases = ["active"]',
		'#confirm = "ask"',
		'#output = "terminal"\n',
		'# The public address in a browser: "xdg-open" on Linux, "open" on macOS.',
		'#[commands.open]',
		'#key = "B"',
		'#command = ["open", "{url}"]',
		'#on = "one"',
		'#changes = false',
		'#output = "none"\n',
	].join('\n');
}
