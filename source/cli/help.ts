import { getAsset, isSea } from 'node:sea';
import { exitCodes, UsageError } from '../foundation/error.ts';
import { wrapText } from '../lines/span.ts';
import { accountField } from '../views/records.ts';
import { findCommand, unknownCommandText } from './arguments.ts';
import type { Command, Option } from './command.ts';

export const commonOptions: readonly Option[] = [
	{ name: 'help', shortName: 'h', help: 'show this help' },
	{ name: 'version', shortName: 'v', help: 'show the version' },
];

// People know either -v or -V from other programs.
const commonWords = { help: ['--help', '-h'], version: ['--version', '-v', '-V'] } as const;

export const hasCommonOption = (words: readonly string[], name: keyof typeof commonWords) =>
	commonWords[name].some(word => words.includes(word));

export function overviewText(commands: readonly Command[]): string {
	const shown = commands.filter(({ isHidden }) => !isHidden);
	const names = shown.map(({ name, summary }) => [name, summary] as const);
	return joinedParagraphs(
		'A terminal monitor for a fleet of cloud computers.',
		'Usage: crowsnest [COMMAND] [OPTIONS]',
		`Commands:\n${alignedRows(names)}\n\nRun crowsnest COMMAND --help for the options of a command.`,
		...optionParagraphs(commands[0], `Options of ${commands[0]?.name}, the default command:`),
	);
}

export function helpText(command: Command): string {
	const { name, summary, description } = command;
	return joinedParagraphs(
		`crowsnest ${name}: ${summary}`,
		`Usage: ${usageOf(command)}`,
		...(description ? [description] : []),
		...optionParagraphs(command),
		...jsonParagraphs(command),
	);
}

export function usageOf({ name, argumentUsage }: Command): string {
	return `crowsnest ${name} [OPTIONS]${argumentUsage ? ` ${argumentUsage}` : ''}`;
}

function optionParagraphs(command: Command | undefined, heading = 'Options:'): readonly string[] {
	if (command === undefined) return [];
	const options = [...command.options, ...commonOptions].map(
		option => [optionText(option), option.help] as const,
	);
	const examples = command.examples.map(example => `  ${example}`).join('\n');
	return [`${heading}\n${alignedRows(options)}`, ...(examples ? [`Examples:\n${examples}`] : [])];
}

export function optionText({ name, shortName, valueName }: Option): string {
	return `${shortName ? `-${shortName}, ` : ''}--${name}${valueName ? ` ${valueName}` : ''}`;
}

const jsonForms = {
	object: 'an object',
	array: 'an array of objects',
	lines: 'one object per line',
} as const;

export function jsonFormText({
	form,
	formForSeveral = form,
}: NonNullable<Command['json']>): string {
	const other =
		formForSeveral === form ? '' : ` (for several accounts, ${jsonForms[formForSeveral]})`;
	return `--json prints ${jsonForms[form]}${other}`;
}

function jsonParagraphs({ json }: Command): readonly string[] {
	if (json === undefined) return [];
	const fields = json.formForSeveral ? { ...accountField, ...json.fields } : json.fields;
	return [`${jsonFormText(json)} with:\n${alignedRows(Object.entries(fields))}`];
}

const maxWidth = 100;

function alignedRows(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	const wrapped = rows.flatMap(([left, right]) =>
		wrapText(right, maxWidth - width - 4).map((line, at) => [at === 0 ? left : '', line]),
	);
	return alignedLines(wrapped)
		.map(line => `  ${line}`)
		.join('\n');
}

export function alignedLines(rows: readonly (readonly string[])[]): readonly string[] {
	const columnCount = Math.max(...rows.map(cells => cells.length));
	const widths = Array.from({ length: columnCount }, (_, column) =>
		Math.max(...rows.map(cells => cells[column]?.length ?? 0)),
	);
	return rows.map(cells =>
		cells
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd(),
	);
}

function joinedParagraphs(...paragraphs: readonly string[]): string {
	return `${paragraphs.join('\n\n')}\n`;
}

export const help: Command = {
	name: 'help',
	summary: 'show the help of a command',
	argumentUsage: 'COMMAND',
	options: [],
	examples: ['crowsnest help', 'crowsnest help list'],
	async run({ program }, { positionals }, commands) {
		if (positionals.length === 0) {
			program.stdout.write(overviewText(commands));
			return exitCodes.done;
		}
		const { command, otherWords } = findCommand(commands, positionals);
		if (!command) throw new UsageError(unknownCommandText(commands, positionals.join(' ')));
		if (otherWords.length > 0)
			throw new UsageError(`help takes one command, but got ${otherWords[0]}`);
		program.stdout.write(helpText(command));
		return exitCodes.done;
	},
};

export const version: Command = {
	name: 'version',
	summary: 'print the version',
	options: [],
	examples: ['crowsnest version'],
	async run(host) {
		host.program.stdout.write(`crowsnest ${host.version}\n`);
		return exitCodes.done;
	},
};

export const licences: Command = {
	name: 'licences',
	summary: 'print the licences of all bundled software',
	options: [],
	examples: ['crowsnest licences | less'],
	async run({ program }) {
		// An executable contains Node, whose licence the build does not know.
		program.stdout.write(isSea() ? getAsset('notices', 'utf8') : __NOTICES__);
		return exitCodes.done;
	},
};
