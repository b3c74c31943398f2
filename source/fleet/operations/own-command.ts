import { isIP } from 'node:net';
import type { Phase } from '../computers/computer.ts';
import type { Strictness } from './strictness.ts';

/** A command that a person has added in the configuration. It runs a program on this machine. */
export type OwnCommand = {
	/** The name of its table in the configuration. */
	name: string;
	key?: string | undefined;
	label: string;
	/** An argument list, which no shell reads, or a script for a shell. */
	program: { type: 'words'; words: readonly string[] } | { type: 'shell'; script: string };
	phases: readonly Phase[];
	/** Whether the command runs on all marked computers, or only on a single one. */
	on: 'one' | 'marked';
	/** Whether the command may change something. If so, the lock, read-only and the question apply to it. */
	changes: boolean;
	confirm: Strictness;
	/** Where the output goes: to the terminal, which the command then has, to a view, or nowhere. */
	output: 'terminal' | 'pane' | 'none';
	timeoutMs?: number | undefined;
};

/** The values of a computer that a command can use. */
export type CommandValues = {
	id: string;
	name: string;
	account: string;
	address: string;
	url: string;
};

/** A program with its arguments, as they are passed to the system. */
export type CommandLine = {
	words: readonly string[];
	/** The variables that are added to the environment of the program. */
	variables: Readonly<Record<string, string>>;
	/** The text that the program reads from stdin. */
	input?: string;
};

/** The variables in which a program or a script finds the values. */
export const commandVariables = {
	CROWSNEST_COMPUTER_ID: 'id',
	CROWSNEST_COMPUTER_NAME: 'name',
	CROWSNEST_COMPUTER_ADDRESS: 'address',
	CROWSNEST_COMPUTER_URL: 'url',
	CROWSNEST_ACCOUNT: 'account',
} as const satisfies Readonly<Record<string, keyof CommandValues>>;

/** The values in the order in which a script gets them as `$1`, `$2` and so on. */
export const placeholderNames = ['id', 'name', 'address', 'account', 'url'] as const;

export type PlaceholderName = (typeof placeholderNames)[number];

/** Returns the value that a whole argument stands for, such as `name` for `{name}`. */
export function placeholderIn(word: string): PlaceholderName | undefined {
	return placeholderNames.find(name => word === `{${name}}`);
}

/**
 * Returns the program and the arguments for one computer, or why the command cannot be run on it. Each value becomes a
 * whole argument: it is never part of another text, and its own braces stay as they are.
 */
export function commandLineOf(
	{ name, program }: Pick<OwnCommand, 'name' | 'program'>,
	values: CommandValues,
): { commandLine: CommandLine } | { problem: string } {
	// A host name could look like an option or lead to another host, so only an IP address is passed on.
	const safe = {
		...values,
		address: isIP(values.address) === 0 ? '' : values.address,
		url: isWebAddress(values.url) ? values.url : '',
	};
	return program.type === 'shell'
		? shellCommandLine(name, program.script, safe)
		: wordsCommandLine(program.words, safe);
}

function wordsCommandLine(words: readonly string[], values: CommandValues) {
	const filled: string[] = [];
	for (const word of words) {
		const placeholder = placeholderIn(word);
		if (!placeholder) {
			filled.push(word);
			continue;
		}
		const value = values[placeholder];
		const problem = problemWithValue(placeholder, value, filled.includes('--'));
		if (problem !== undefined) return { problem };
		filled.push(value);
	}
	return { commandLine: { words: filled, variables: variablesOf(values) } };
}

const missingText: Readonly<Record<PlaceholderName, string>> = {
	id: 'has no id',
	name: 'has no name',
	account: 'has no account',
	address: 'has no IP address that is known',
	url: 'publishes no port, so it has no public address',
};

function problemWithValue(placeholder: PlaceholderName, value: string, isAfterDashes: boolean) {
	if (value === '') return missingText[placeholder];
	if (value.includes('\0')) return nulText(placeholder);
	return value.startsWith('-') && !isAfterDashes
		? `its ${placeholder} begins with "-" and would be taken for an option; put "--" before {${placeholder}}`
		: undefined;
}

const nulText = (placeholder: string) =>
	`its ${placeholder} contains a NUL character, which no program can receive`;

function shellCommandLine(name: string, script: string, values: CommandValues) {
	const withNul = placeholderNames.find(each => values[each].includes('\0'));
	if (withNul) return { problem: nulText(withNul) };
	const { id, name: computer, address, account, url } = values;
	return {
		commandLine: {
			// The word after the script is `$0`, which the shell uses in its messages.
			words: ['/bin/sh', '-c', script, name, ...placeholderNames.map(each => values[each])],
			variables: variablesOf(values),
			input: `${JSON.stringify({ id, name: computer, address, account, url })}\n`,
		},
	};
}

/** Returns the variables of a program. A value with a NUL character, which no variable can have, is left empty. */
function variablesOf(values: CommandValues): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(commandVariables).map(([variable, name]) => {
			const value = values[name];
			return [variable, value.includes('\0') ? '' : value];
		}),
	);
}

/** Whether a text is an address of the web, which a browser can open without reading local files. */
function isWebAddress(text: string): boolean {
	if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
	return ['https:', 'http:'].includes(new URL(text).protocol);
}
