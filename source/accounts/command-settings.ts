import * as v from 'valibot';
import { allPhases, existingPhases } from '../fleet/computers/computer.ts';
import {
	type CommandInput,
	type OwnCommand,
	placeholderNames,
} from '../fleet/operations/operation-row.ts';
import { keyNames } from './key-spelling.ts';
import {
	duration,
	explanationOf,
	isTable,
	oneOf,
	onOff,
	readSetting,
	type SettingProblem,
	setting,
	tableOf,
	text,
	wordList,
} from './setting-values.ts';

const phasesRule = 'must be a list of phases, such as ["active", "stopped"]';
const commandRule = 'must be a list of words, such as ["ping", "-c", "3", "--", "{address}"]';

const inputsRule =
	'must be a list such as [{ name = "branch", label = "Branch", options = ["main", "next"] }]';

const inputName = v.pipe(
	v.string(inputsRule),
	v.regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/, 'must be a name of letters, digits and "_"'),
	v.check(name => !placeholderNames.some(each => each === name), 'is the name of another value'),
);

const inputTable = v.pipe(
	tableOf({ name: inputName, label: text, options: wordList('must be a list of words') }),
	v.check(({ name }) => name !== undefined, 'has no name'),
	v.transform(({ name = '', label = name, options }) => ({ name, label, options })),
);

export const commandSettings = {
	key: setting(
		v.pipe(
			keyNames,
			v.check(keys => keys.length === 1, 'must be one key'),
			v.transform(([key]) => key),
		),
		'"S"',
		'The key that runs the command in the table. Built-in keys take precedence.',
	),
	label: setting(
		text,
		'"ssh"',
		'The name of the command on screen; by default the name of its table.',
	),
	command: setting(
		v.union([v.pipe(v.string(), v.nonEmpty()), wordList(commandRule)], commandRule),
		'["ssh", "-l", "root", "--", "{address}"]',
		'The program and its arguments. {id}, {name}, {address}, {account} and {url} stand for whole arguments. Its environment\n' +
			'has CROWSNEST_COMPUTER_ID, _NAME, _ADDRESS and _URL, and CROWSNEST_ACCOUNT.',
	),
	shell: setting(
		onOff,
		'true',
		'The command is a script for a shell, as text. It gets the values as $1 (id), $2 (name), $3 (address), $4\n' +
			'(account) and $5 (url), in its environment, and as JSON on stdin.',
	),
	inputs: setting(
		v.pipe(
			v.array(inputTable, inputsRule),
			v.check(all => new Set(all.map(({ name }) => name)).size === all.length, 'name one twice'),
		),
		'[{ name = "branch", label = "Branch", options = ["main", "next"] }]',
		'What the command asks for before it runs. {branch} stands for a whole argument; a script gets it as $6, the next one as\n' +
			'$7. The options are optional: without them, any text is an answer.',
	),
	phases: setting(
		v.pipe(v.array(oneOf(...allPhases), phasesRule), v.nonEmpty(phasesRule)),
		'["active"]',
		'The phases of a computer in which the command can be run.',
	),
	on: setting(
		oneOf('one', 'marked'),
		'"marked"',
		'Whether the command runs on "one" computer only, or on all "marked" computers.',
	),
	changes: setting(
		onOff,
		'false',
		'Whether the command may change something. If so, the lock, read-only and a question apply.',
	),
	confirm: setting(
		v.union([v.boolean(), oneOf('off', 'ask', 'wait', 'type')], ({ issues }) =>
			String(issues?.at(-1)?.message),
		),
		'"ask"',
		'The question that comes first: "off", "ask" (y), "wait" (y, then 4 s in which Esc cancels) or "type" (the name, then 4 s).\n' +
			'By default "wait" if the command may change something, and "off" otherwise. true and false are these two.',
	),
	output: setting(
		oneOf('terminal', 'pane', 'none'),
		'"terminal"',
		'Where the output goes: to the "terminal", to a "pane" of the monitor, or nowhere ("none").',
	),
	timeout: setting(
		duration,
		'"30s"',
		'The time limit of the command; by default 1m if its output is "none", and no limit otherwise.',
	),
};

const nameRule = 'cannot be the name of a command: use up to 32 letters, digits, "_" and "-"';

const commandName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,32}$/, nameRule));

const commandSchema = v.pipe(
	tableOf(commandSettings),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const { key, label, command, shell = false, changes = true, timeout } = dataset.value;
		const { output = 'pane', phases = existingPhases, inputs = [] } = dataset.value;
		const { confirm: asks = changes, on = output === 'terminal' ? 'one' : 'marked' } =
			dataset.value;
		const refuse = (name: string, message: string) => {
			addIssue({
				message,
				path: [
					{ type: 'unknown', origin: 'value', input: dataset.value, key: name, value: undefined },
				],
			});
			return NEVER;
		};
		if (command === undefined) {
			addIssue({ message: 'has no command' });
			return NEVER;
		}
		if (output === 'terminal' && on === 'marked')
			refuse('on', 'must be "one", because one command at a time can have the terminal');
		const program = programFrom(command, shell, inputs);
		if (typeof program === 'string') return refuse('command', program);
		const whenTrue = changes ? 'wait' : 'ask';
		const confirm = typeof asks === 'string' ? asks : asks ? whenTrue : 'off';
		const timeoutMs = timeout ?? (output === 'none' ? 60_000 : undefined);
		return { key, label, program, inputs, phases, on, changes, confirm, output, timeoutMs };
	}),
);

function programFrom(
	command: string | readonly string[],
	isShell: boolean,
	inputs: readonly CommandInput[],
): OwnCommand['program'] | string {
	const inputNames = inputs.map(({ name }) => name);
	const names = [...placeholderNames, ...inputNames];
	if (isShell) {
		if (typeof command !== 'string')
			return 'must be one text, because it is a script (shell = true)';
		// A value inside a script would be run as code. The shell's own variables, as in ${name}, are safe.
		const withoutVariables = command.replaceAll('${', '');
		const spliced = names.find(name => withoutVariables.includes(`{${name}}`));
		return spliced
			? `contains {${spliced}}; a script gets the values as "$1" to "$${names.length}" instead`
			: { type: 'shell', script: command };
	}
	if (typeof command === 'string') return 'must be a list of words, or a script with shell = true';
	if (names.some(name => command[0] === `{${name}}`))
		return 'must begin with the name of a program';
	for (const word of command) {
		const name = names.find(each => word.includes(`{${each}}`));
		if (name && word !== `{${name}}`)
			return `contains {${name}} inside ${JSON.stringify(word)}; it can only be a whole argument`;
	}
	const unused = inputNames.find(name => !command.includes(`{${name}}`));
	if (unused) return `asks for ${unused}, and does not use {${unused}}`;
	return { type: 'words', words: command };
}

export type CommandSettings = {
	commands: readonly OwnCommand[];
	problems: readonly SettingProblem[];
};

/** A command with a mistake is left out, and the other commands work. */
export function ownCommandsFrom(tables: unknown = {}): CommandSettings {
	if (!isTable(tables)) {
		const problem = { message: 'commands must be tables such as [commands.ssh]', isInFile: true };
		return { commands: [], problems: [problem] };
	}
	const read = Object.entries(tables).map(([name, table]) => {
		const { problems } = readSetting(commandName, name, ['commands', name]);
		if (problems.length > 0) return { commands: [], problems };
		const command = readSetting(commandSchema, table, ['commands', name]);
		const { value } = command;
		const commands = value ? [{ ...value, name, label: value.label ?? name }] : [];
		return { commands, problems: command.problems };
	});
	return {
		commands: read.flatMap(({ commands }) => commands),
		problems: read.flatMap(({ problems }) => problems),
	};
}

export const commandExample = [
	'# Own commands, each with a name of your choice. They run on this machine, as you.',
	...Object.entries(commandSettings).map(
		([name, schema]) => `#   ${name}: ${explanationOf(schema).replaceAll('\n', '\n#     ')}`,
	),
	'# The processes of the computer under the cursor.',
	'#[commands.top]',
	'#key = "S"',
	'#command = ["ssh", "-t", "-l", "root", "--", "{address}", "top"]',
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
