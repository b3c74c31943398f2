import type { Command, Option } from './command.ts';

export const optionsEverywhere: readonly Option[] = [
	{ name: 'help', short: 'h', help: 'show this help' },
	{ name: 'version', help: 'show the version' },
];

/** Returns the text of `crowsnest --help`: all commands, and the options of the default command. */
export function overviewText(commands: readonly Command[]): string {
	const names = commands
		.filter(({ isHidden }) => !isHidden)
		.map(({ name, summary }) => [name, summary] as const);
	return paragraphs(
		'A terminal monitor for a fleet of cloud computers.',
		'Usage: crowsnest [COMMAND] [OPTIONS]',
		`Commands:\n${columns(names)}\n\nRun crowsnest COMMAND --help for the options of a command.`,
		...optionParts(commands[0], `Options of ${commands[0]?.name}, the default command:`),
	);
}

/** Returns the text of `crowsnest COMMAND --help`. */
export function helpText(command: Command): string {
	const { name, summary, about } = command;
	return paragraphs(
		`crowsnest ${name}: ${summary}`,
		`Usage: ${usageOf(command)}`,
		...(about ? [about] : []),
		...optionParts(command),
		...jsonParts(command),
	);
}

export function usageOf({ name, argumentUsage }: Command): string {
	return `crowsnest ${name} [OPTIONS]${argumentUsage ? ` ${argumentUsage}` : ''}`;
}

function optionParts(command: Command | undefined, heading = 'Options:'): readonly string[] {
	if (command === undefined) return [];
	const options = [...command.options, ...optionsEverywhere].map(
		option => [optionText(option), option.help] as const,
	);
	const examples = command.examples.map(example => `  ${example}`).join('\n');
	return [`${heading}\n${columns(options)}`, ...(examples ? [`Examples:\n${examples}`] : [])];
}

export function optionText({ name, short, value }: Option): string {
	return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
}

export const jsonForms = {
	object: 'an object',
	array: 'an array of objects',
	lines: 'one object per line',
} as const;

function jsonParts({ json }: Command): readonly string[] {
	if (json === undefined) return [];
	return [`--json prints ${jsonForms[json.form]} with:\n${columns(Object.entries(json.fields))}`];
}

const maxWidth = 100;

function columns(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	const indent = `\n${' '.repeat(width + 4)}`;
	return rows
		.map(([left, right]) => {
			const lines = linesWithin(right, maxWidth - width - 4);
			return `  ${left.padEnd(width)}  ${lines.join(indent)}`;
		})
		.join('\n');
}

function linesWithin(text: string, width: number): readonly string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (line !== '' && longer.length > width) lines.push(line);
		line = line !== '' && longer.length > width ? word : longer;
	}
	return [...lines, line];
}

function paragraphs(...parts: readonly string[]): string {
	return `${parts.join('\n\n')}\n`;
}
