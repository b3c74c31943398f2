import type { Command, Option } from './command.ts';

const everywhere: readonly Option[] = [
	{ name: 'help', short: 'h', help: 'show this' },
	{ name: 'version', help: 'show the version' },
];

/** What `crowsnest --help` shows: the commands, and the options of the first one. */
export function overview(commands: readonly Command[]): string {
	const names = commands.map(({ name, summary }) => [name, summary] as const);
	return paragraphs(
		'A lookout over a fleet of cloud computers, in one terminal pane.',
		'Usage: crowsnest [COMMAND] [OPTIONS]',
		`Commands:\n${columns(names)}\n\nSee crowsnest COMMAND --help for each.`,
		...partsOf(commands[0]),
	);
}

/** What `crowsnest COMMAND --help` shows. */
export function helpFor(command: Command): string {
	const takes = command.takes ? ` ${command.takes}` : '';
	return paragraphs(
		`crowsnest ${command.name}: ${command.summary}`,
		`Usage: crowsnest ${command.name} [OPTIONS]${takes}`,
		...partsOf(command),
	);
}

function partsOf(command: Command | undefined): readonly string[] {
	if (command === undefined) return [];
	const options = [...command.options, ...everywhere].map(
		({ name, short, value, help }) =>
			[`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`, help] as const,
	);
	const examples = command.examples.map(example => `  ${example}`).join('\n');
	return [`Options:\n${columns(options)}`, ...(examples ? [`Examples:\n${examples}`] : [])];
}

function columns(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function paragraphs(...parts: readonly string[]): string {
	return `${parts.join('\n\n')}\n`;
}
