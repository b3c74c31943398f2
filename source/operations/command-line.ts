import { isIP } from 'node:net';
import {
	type CommandLine,
	type CommandValues,
	commandVariables,
	type OwnCommand,
	type PlaceholderName,
	placeholderIn,
	placeholderNames,
} from '../fleet/operations/own-command.ts';
import { lastPublishedPortOf } from '../store/change-log.ts';
import type { ComputerState } from '../store/state.ts';
import type { AskedAccount } from './run.ts';

export function commandValuesOf(
	{ profile, platform, state }: AskedAccount,
	{ id, reading }: ComputerState,
): CommandValues {
	const ports = reading.ports ?? [];
	const latest = lastPublishedPortOf(state(), id);
	const port = ports.find(each => each.port === latest) ?? ports[0];
	return {
		id,
		name: reading.name || id,
		account: profile.name,
		address: reading.address ?? '',
		url: port ? (port.url ?? platform.publicAddress(id, port.port)) : '',
	};
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
	const variables = variablesOf(safe);
	if (program.type === 'shell') {
		const withNul = placeholderNames.find(each => safe[each].includes('\0'));
		if (withNul) return { problem: nulText(withNul) };
		const { id, name: computer, address, account, url } = safe;
		// The word after the script is `$0`, which the shell uses in its messages.
		const words = [
			'/bin/sh',
			'-c',
			program.script,
			name,
			...placeholderNames.map(each => safe[each]),
		];
		const input = `${JSON.stringify({ id, name: computer, address, account, url })}\n`;
		return { commandLine: { words, variables, input } };
	}
	const words: string[] = [];
	for (const word of program.words) {
		const placeholder = placeholderIn(word);
		const value = placeholder ? safe[placeholder] : word;
		const problem = placeholder && problemWithValue(placeholder, value, words.includes('--'));
		if (problem !== undefined) return { problem };
		words.push(value);
	}
	return { commandLine: { words, variables } };
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
