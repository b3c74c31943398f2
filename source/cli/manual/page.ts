import type { AccountVariable } from '../../accounts/environment.ts';
import { hookFields, hookVariables } from '../../accounts/hook-settings.ts';
import type { folderVariables } from '../../accounts/paths.ts';
import { type FieldName, fields } from '../../fleet/computers/field.ts';
import { type Binding, type HelpContext, helpHeadings, viewContexts } from '../../keys/binding.ts';
import { bindings } from '../../keys/bindings.ts';
import { shownKey } from '../../keys/shown-keys.ts';
import { type Command, exitCodes, type JsonFields, type Option } from '../../shell/command.ts';
import { errorFields, noticeFields } from '../../shell/errors.ts';
import { commonOptions, jsonFormText, optionText, usageOf } from '../../shell/help.ts';

import {
	boldText,
	definition,
	paragraph,
	roffArgument,
	roffText,
	sectionHeading,
	subsectionHeading,
	verbatimLines,
} from './roff.ts';

/** Generates the manual page from the tables of commands, options and settings. */
export function manualPage(commands: readonly Command[], version: string): string {
	const visibleCommands = commands.filter(({ isHidden }) => !isHidden);
	const [first] = visibleCommands;
	const blocks = [
		`.TH CROWSNEST 1 "" ${roffArgument(`crowsnest ${version}`)} "User Commands"`,
		sectionHeading('Name'),
		roffText('crowsnest - a terminal monitor for a fleet of cloud computers'),
		sectionHeading('Synopsis'),
		boldText('crowsnest'),
		roffText('[COMMAND] [OPTIONS] [ARGUMENTS]'),
		sectionHeading('Description'),
		...descriptionTexts.map(paragraph),
		sectionHeading('Options'),
		paragraph(optionsText),
		...[...(first?.options ?? []), ...commonOptions].map(optionDefinition),
		sectionHeading('Commands'),
		...visibleCommands.flatMap(commandBlocks),
		sectionHeading('Keys'),
		paragraph(keysText),
		...keyBlocks(),
		sectionHeading('Filters'),
		paragraph(filtersText),
		...definitions(filterMeanings),
		sectionHeading('JSON'),
		...jsonTexts.map(paragraph),
		...jsonBlocks(visibleCommands),
		subsectionHeading('error'),
		...definitions(errorFields),
		subsectionHeading('notice'),
		...definitions(noticeFields),
		sectionHeading('Exit status'),
		...Object.entries(exitCodes).map(([name, code]) =>
			definition(String(code), exitMeanings[name as keyof typeof exitCodes]),
		),
		sectionHeading('Hooks'),
		...hookTexts.map(paragraph),
		subsectionHeading('Fields on standard input'),
		...definitions(hookFields),
		subsectionHeading('Variables in the environment'),
		...definitions(hookVariables),
		sectionHeading('Environment'),
		...definitions(environmentMeanings),
		sectionHeading('Files'),
		...definitions(fileMeanings),
	];
	return `${blocks.join('\n')}\n`;
}

const descriptionTexts = [
	'Without a command, crowsnest opens the monitor. It shows what each computer is doing and how old that ' +
		'data is, and starts, stops or updates computers at the press of a key. See KEYS; ? lists them in the monitor.',
	'The other commands work like the monitor, with the same rate limits and the same checks. They take a ' +
		'name instead of an id if only one computer has that name. A command that needs a confirmation asks on ' +
		'the terminal; without a terminal it refuses to run, unless --yes is given. Commands wait for rate limits ' +
		'and say so on standard error.',
];

const optionsText =
	'These are the options of the monitor, the default command. Options may also precede the name of a command.';

const filtersText =
	'Words match name, id and address (in the monitor also status, version, stage, error and location); FIELD:VALUE matches one field, with <, >, <= or >= where it has an ' +
	'order. All terms must match, - negates a term, and OR separates groups: ' +
	'status:stopped version:<1.4 OR -name:test. Quotes keep words together.';

const jsonTexts = [
	'With --json, standard output holds only JSON. Field names never change. A field whose value is unknown ' +
		'is null, and times are in ISO 8601.',
	'If list, show, status, watch, log, credits or an operation works on several accounts, each record also has the ' +
		'field account, the name of the profile.',
	'Each line on standard error is an object with one field: error if the command fails, or notice for ' +
		'what it waits for.',
];

const keysText =
	'These are the keys of the monitor without a configuration. [keys] in config.toml gives an action other keys: the ' +
	'name of the action follows its meaning.';

/**
 * Lists every key once, below the first place in which it works, in the order of the help. A key that works in every
 * view is listed below "everywhere".
 */
function keyBlocks(): readonly string[] {
	const headingOf = ({ contexts }: Binding) => {
		const isEverywhere = viewContexts.every(view => contexts.includes(view));
		const places: readonly HelpContext[] = isEverywhere ? ['everywhere'] : contexts;
		return helpHeadings.find(([place]) => places.includes(place))?.[1];
	};
	return helpHeadings.flatMap(([, title]) => {
		const listed = bindings.filter(each => each.keys.length > 0 && headingOf(each) === title);
		if (listed.length === 0) return [];
		return [
			subsectionHeading(title),
			...listed.map(({ action, keys, help }) =>
				definition(keys.map(shownKey).join(', '), `${help} (${action})`),
			),
		];
	});
}

const hookTexts = [
	'Each [[hooks]] of the configuration is a program that runs when something changes. One process of this host ' +
		'runs it: a monitor, or crowsnest watch. `crowsnest config --example` explains the settings and has examples.',
	'Nothing from before the first start runs a hook. After a restart or a silence, the state is compared with the one ' +
		'before, and each change runs the hook once.',
];

function commandBlocks(command: Command, index: number): readonly string[] {
	const { summary, description, options, examples, json: contract } = command;
	const aliases = command.aliases?.map(alias => `crowsnest ${alias}`) ?? [];
	return [
		subsectionHeading([usageOf(command), ...aliases].join(', ')),
		paragraph(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`),
		...(description ? [verbatimLines(description.split('\n'))] : []),
		// The section Options of the manual already lists the options of the default command.
		...(index === 0 ? [] : options.map(optionDefinition)),
		...(contract ? [paragraph(`${jsonFormText(contract)}; see JSON.`)] : []),
		...(examples.length > 0 ? [paragraph('Examples:'), verbatimLines(examples)] : []),
	];
}

// Commands that print the same JSON fields share one entry in the section JSON.
function jsonBlocks(commands: readonly Command[]): readonly string[] {
	const namesByFields = new Map<JsonFields, string[]>();
	for (const { name, json: contract } of commands) {
		if (contract)
			namesByFields.set(contract.fields, [...(namesByFields.get(contract.fields) ?? []), name]);
	}
	return [...namesByFields].flatMap(([fields, names]) => [
		subsectionHeading(names.join(', ')),
		...definitions(fields),
	]);
}

function optionDefinition(option: Option): string {
	return definition(optionText(option), option.help);
}

function definitions(meanings: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(meanings).map(([word, meaning]) => definition(word, meaning));
}

// The sections of the manual that do not come from a command. Their types require an entry for each exit code,
// environment variable and filter field.

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
	done: 'Done, or there was nothing to do: no computer matches --filter.',
	failed: 'The command failed, or failed for some of the computers.',
	usage: 'The command line or the configuration is wrong. Nothing was sent.',
	cancelled: 'A question was answered with no, or the command took longer than --timeout.',
	notSignedIn: 'Not signed in: no account is configured, or its credentials were refused.',
	partial:
		'Several accounts were asked for, and at least one of them failed. The output has the others.',
	interrupted: 'Interrupted, for example with Ctrl-C.',
};

type OwnVariableName = AccountVariable | (typeof folderVariables)[keyof typeof folderVariables];

export const environmentMeanings: Readonly<Record<OwnVariableName, string>> &
	Record<string, string> = {
	CROWSNEST_URL: 'The base URL of the platform; ends in /v1.',
	CROWSNEST_AUTH_URL: 'The URL of the identity provider.',
	CROWSNEST_ANON_KEY: 'The key that the identity provider calls apikey.',
	CROWSNEST_EMAIL: 'The e-mail to sign in with.',
	CROWSNEST_PASSWORD: 'The password. It is never stored.',
	CROWSNEST_TOKEN: 'An access token, instead of e-mail and password.',
	CROWSNEST_PROFILE:
		'The profiles to use when --profile names none. Several have commas between them.',
	CROWSNEST_CONFIG_DIR: 'The folder of config.toml (default: $XDG_CONFIG_HOME/crowsnest).',
	CROWSNEST_STATE_DIR: 'The folder for state between runs (default: $XDG_STATE_HOME/crowsnest).',
	'HTTPS_PROXY, NO_PROXY': 'The proxy, and the hosts that are reached directly.',
	NODE_EXTRA_CA_CERTS: 'Certificates to trust in addition to those of Node.',
	NO_COLOR: 'Disables colours.',
	'TERM, LANG': 'What the terminal supports: colours and UTF-8.',
};

export const fileMeanings: Readonly<Record<string, string>> = {
	'~/.config/crowsnest/config.toml':
		'Profiles, preferences and own commands. `crowsnest config --example` explains every setting.',
	'~/.local/state/crowsnest/log/': 'Past changes, credits over time and the last known fleet.',
	'~/.local/state/crowsnest/limits/': 'The requests that count against the rate limits.',
	'~/.local/state/crowsnest/tokens/': 'Access tokens, readable only by their owner.',
	'~/.local/state/crowsnest/reports/': 'Crash reports.',
};

export const filterMeanings: Readonly<Record<string, string>> = Object.fromEntries(
	['account', ...Object.keys(fields)].map(name => [name, fields[name as FieldName].meaning]),
);
