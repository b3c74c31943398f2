import { type Command, exitCodes, type JsonFields, type Option } from '../../shell/command.ts';
import { errorFields } from '../../shell/errors.ts';
import { jsonForms, optionsEverywhere, optionText, usageOf } from '../../shell/help.ts';
import { noticeFields } from '../../shell/notices.ts';
import {
	bold,
	paragraph,
	roffArgument,
	roffText,
	section,
	subsection,
	tagged,
	verbatim,
} from './roff.ts';
import { environmentMeanings, exitMeanings, fileMeanings, filterMeanings } from './tables.ts';

/** Returns the manual page, which is generated from the tables that the program itself uses. */
export function manualPage(commands: readonly Command[], version: string): string {
	const shown = commands.filter(({ isHidden }) => !isHidden);
	const [first] = shown;
	const parts = [
		`.TH CROWSNEST 1 "" ${roffArgument(`crowsnest ${version}`)} "User Commands"`,
		section('Name'),
		roffText('crowsnest - a terminal monitor for a fleet of cloud computers'),
		section('Synopsis'),
		bold('crowsnest'),
		roffText('[COMMAND] [OPTIONS] [ARGUMENTS]'),
		section('Description'),
		...description.map(paragraph),
		section('Options'),
		paragraph(options),
		...[...(first?.options ?? []), ...optionsEverywhere].map(taggedOption),
		section('Commands'),
		...shown.flatMap(commandParts),
		section('Filters'),
		paragraph(filters),
		...taggedAll(filterMeanings),
		section('JSON'),
		...json.map(paragraph),
		...jsonParts(shown),
		subsection('error'),
		...taggedAll(errorFields),
		subsection('notice'),
		...taggedAll(noticeFields),
		section('Exit status'),
		...Object.entries(exitCodes).map(([name, code]) =>
			tagged(String(code), exitMeanings[name as keyof typeof exitCodes]),
		),
		section('Environment'),
		...taggedAll(environmentMeanings),
		section('Files'),
		...taggedAll(fileMeanings),
	];
	return `${parts.join('\n')}\n`;
}

const description = [
	'Without a command, crowsnest opens the monitor. It shows what each computer is doing and how old that ' +
		'data is, and starts, stops or updates computers at the press of a key. Press ? for its keys.',
	'The other commands work like the monitor, with the same rate limits and the same checks. They take a ' +
		'name instead of an id if only one computer has that name. A command that needs a confirmation asks on ' +
		'the terminal; without a terminal it refuses to run, unless --yes is given. Commands wait for rate limits ' +
		'and say so on standard error.',
];

const options =
	'These are the options of the monitor, the default command. Options may also precede the name of a command.';

const filters =
	'Words match name, id and address; FIELD:VALUE matches one field, with <, >, <= or >= where it has an ' +
	'order. All terms must match, - negates a term, and OR separates groups: ' +
	'status:stopped version:<1.4 OR -name:test. Quotes keep words together.';

const json = [
	'With --json, standard output holds only JSON. Field names never change. A field whose value is unknown ' +
		'is null, and times are in ISO 8601.',
	'Each line on standard error is an object with one field: error if the command fails, or notice for ' +
		'what it waits for.',
];

function commandParts(command: Command, at: number): readonly string[] {
	const { summary, about, options, examples, json: contract } = command;
	const aliases = command.aliases?.map(alias => `crowsnest ${alias}`) ?? [];
	return [
		subsection([usageOf(command), ...aliases].join(', ')),
		paragraph(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`),
		...(about ? [verbatim(about.split('\n'))] : []),
		// The manual lists the options of the default command in the section Options.
		...(at === 0 ? [] : options.map(taggedOption)),
		...(contract ? [paragraph(`--json prints ${jsonForms[contract.form]}; see JSON.`)] : []),
		...(examples.length > 0 ? [paragraph('Examples:'), verbatim(examples)] : []),
	];
}

// Commands that print the same fields share one entry in the manual.
function jsonParts(commands: readonly Command[]): readonly string[] {
	const senders = new Map<JsonFields, string[]>();
	for (const { name, json: contract } of commands) {
		if (contract) senders.set(contract.fields, [...(senders.get(contract.fields) ?? []), name]);
	}
	return [...senders].flatMap(([fields, names]) => [
		subsection(names.join(', ')),
		...taggedAll(fields),
	]);
}

function taggedOption(option: Option): string {
	return tagged(optionText(option), option.help);
}

function taggedAll(meanings: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(meanings).map(([word, meaning]) => tagged(word, meaning));
}
