import type { Phase } from '../computers/computer.ts';
import type { Strictness } from './strictness.ts';

export type OwnCommand = {
	name: string;
	key?: string | undefined;
	label: string;
	program: { type: 'words'; words: readonly string[] } | { type: 'shell'; script: string };
	phases: readonly Phase[];
	on: 'one' | 'marked';
	changes: boolean;
	confirm: Strictness;
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
	input?: string;
};

export const commandVariables = {
	CROWSNEST_COMPUTER_ID: 'id',
	CROWSNEST_COMPUTER_NAME: 'name',
	CROWSNEST_COMPUTER_ADDRESS: 'address',
	CROWSNEST_COMPUTER_URL: 'url',
	CROWSNEST_ACCOUNT: 'account',
} as const satisfies Readonly<Record<string, keyof CommandValues>>;

/** A script gets them in this order, as `$1`, `$2` and so on. */
export const placeholderNames = ['id', 'name', 'address', 'account', 'url'] as const;

export type PlaceholderName = (typeof placeholderNames)[number];

export function placeholderIn(word: string): PlaceholderName | undefined {
	return placeholderNames.find(name => word === `{${name}}`);
}

/** The space makes the id different from all others. */
export const ownCommandId = ({ name }: Pick<OwnCommand, 'name'>) => `command ${name}`;

export const ownCommandNameOf = (id: string) =>
	id.startsWith('command ') ? id.slice('command '.length) : undefined;
