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
 * Returns the id of the operation that runs an own command. The space in the id makes it different from all other
 * ids.
 */
export const ownCommandId = ({ name }: Pick<OwnCommand, 'name'>) => `command ${name}`;

/** Returns the name of the own command that an operation runs; undefined for another operation. */
export const ownCommandNameOf = (id: string) =>
	id.startsWith('command ') ? id.slice('command '.length) : undefined;
