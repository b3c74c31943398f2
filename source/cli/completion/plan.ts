import type { Command, Option } from '../../shell/command.ts';
import { optionsEverywhere } from '../../shell/help.ts';

/** What completes one argument: fixed words, the answer of `crowsnest complete`, or files. */
export type ArgumentPlace = { words: readonly string[] } | { ask: 'computers' | 'ports' | 'files' };

/** A command as the shells complete it. */
export type CompletedCommand = {
	/** Its name and its aliases. */
	names: readonly string[];
	summary: string;
	options: readonly Option[];
	/** Its arguments in order. */
	places: readonly ArgumentPlace[];
	/** The first argument may be repeated. */
	isRepeated: boolean;
};

/** The commands as all three scripts need them. */
export function completedCommands(commands: readonly Command[]): readonly CompletedCommand[] {
	return commands
		.filter(({ isHidden }) => !isHidden)
		.map(({ name, aliases = [], summary, options, takes = '' }) => ({
			names: [name, ...aliases],
			summary,
			options: [...options, ...optionsEverywhere],
			places: takes.split(' ').flatMap(argumentPlaceFrom),
			isRepeated: takes.startsWith('ID…'),
		}));
}

function argumentPlaceFrom(word: string): readonly ArgumentPlace[] {
	if (word.startsWith('ID')) return [{ ask: 'computers' }];
	if (word === 'PORT') return [{ ask: 'ports' }];
	if (word === 'FILE') return [{ ask: 'files' }];
	return word.includes('|') ? [{ words: word.split('|') }] : [];
}

/** The options of all commands that take a value. */
export function valuedOptions(commands: readonly CompletedCommand[]): readonly string[] {
	const valued = commands.flatMap(({ options }) => options.filter(({ value }) => value));
	return [...new Set(valued.map(({ name }) => `--${name}`))];
}

/** The first words of the commands that have two words, each with the second words. */
export function firstWords(commands: readonly CompletedCommand[]): ReadonlyMap<string, string[]> {
	const found = new Map<string, string[]>();
	for (const [first = '', second] of commands.flatMap(({ names }) => names.map(wordsOf))) {
		if (second !== undefined) found.set(first, [...(found.get(first) ?? []), second]);
	}
	return found;
}

const wordsOf = (name: string) => name.split(' ');

/** Quotes a text for shells that know no escapes between single quotes. */
export function quotedForShell(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
