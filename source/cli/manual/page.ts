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

/** The whole manual, from the tables that the program itself reads. */
export function manualPage(commands: readonly Command[], version: string): string {
	const shown = commands.filter(({ isHidden }) => !isHidden);
	const [first] = shown;
	const parts = [
		`.TH CROWSNEST 1 "" ${roffArgument(`crowsnest ${version}`)} "User Commands"`,
		section('Name'),
		roffText('crowsnest - a lookout over a fleet of cloud computers'),
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
	'Without a command it opens the monitor: what each computer is doing, how old that news is, and one key ' +
		'that asks to stop, start or update one. Press ? in it for its keys.',
	'The commands go the way of the monitor: the same tables, the same rate limits, the same checks. Names ' +
		'work where ids do, as long as they mean one computer only. What would need an answer is asked at a ' +
		'terminal and refused elsewhere, unless --yes answers it. Rate limits are waited for, and said on ' +
		'standard error.',
];

const options =
	'Of the monitor, which runs when no command is named. Those of a command may stand before its name, too.';

const filters =
	'Words match name, id and address; FIELD:VALUE matches one field, with <, >, <= or >= where it has an ' +
	'order. Terms together must all match, - before one turns it round, and OR stands between groups: ' +
	'status:stopped version:<1.4 OR -name:test. Quotes hold words together.';

const json = [
	'With --json there is only JSON on standard output. Names that were sent once stay. What nobody told is ' +
		'null, and times are in ISO 8601.',
	'On standard error each line is an object with one field: error, when the command fails, or notice, ' +
		'for what is waited for.',
];

function commandParts(command: Command, at: number): readonly string[] {
	const { summary, about, options, examples, json: told } = command;
	const aliases = command.aliases?.map(alias => `crowsnest ${alias}`) ?? [];
	return [
		subsection([usageOf(command), ...aliases].join(', ')),
		paragraph(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`),
		...(about ? [verbatim(about.split('\n'))] : []),
		// Those of the first stand above already: they are the program's own.
		...(at === 0 ? [] : options.map(taggedOption)),
		...(told ? [paragraph(`--json prints ${jsonForms[told.form]}, as told under JSON.`)] : []),
		...(examples.length > 0 ? [paragraph('Examples:'), verbatim(examples)] : []),
	];
}

// What several commands send stands there once.
function jsonParts(commands: readonly Command[]): readonly string[] {
	const senders = new Map<JsonFields, string[]>();
	for (const { name, json: told } of commands) {
		if (told) senders.set(told.fields, [...(senders.get(told.fields) ?? []), name]);
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
