import type { Phase } from '../computers/computer.ts';
import type { Strictness } from './strictness.ts';

/** A command that a person has added in the configuration. It runs a program on this machine. */
export type OwnCommand = {
	name: string;
	key?: string | undefined;
	label: string;
	/** An argument list, which no shell reads, or a script for a shell. */
	program: { type: 'words'; words: readonly string[] } | { type: 'shell'; script: string };
	phases: readonly Phase[];
	on: 'one' | 'marked';
	/** Whether the command may change something. If so, the lock, read-only and the question apply to it. */
	changes: boolean;
	confirm: Strictness;
	/** Where the output goes: to the terminal, which the command then has, to a view, or nowhere. */
	output: 'terminal' | 'pane' | 'none';
	timeoutMs?: number | undefined;
};

export type CommandValues = {
	id: string;
	name: string;
	account: string;
	address: string;
	url: string;
};

export type CommandLine = {
	words: readonly string[];
	variables: Readonly<Record<string, string>>;
	/** The text that the program reads from stdin. */
	input?: string;
};

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

/** The space makes the id different from all others. */
export const ownCommandId = ({ name }: Pick<OwnCommand, 'name'>) => `command ${name}`;

export const ownCommandNameOf = (id: string) =>
	id.startsWith('command ') ? id.slice('command '.length) : undefined;
