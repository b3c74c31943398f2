import type { Command, Option } from '../../shell/command.ts';
import { optionsEverywhere } from '../../shell/help.ts';

/** What the shell offers for one argument: fixed words, the output of `crowsnest complete`, or files. */
export type ArgumentPlace = { words: readonly string[] } | { ask: 'computers' | 'ports' | 'files' };

/** What a completion script needs to know about a command. */
export type CompletedCommand = {
	/** The name and the aliases of the command. */
	names: readonly string[];
	summary: string;
	options: readonly Option[];
	/** The arguments of the command, in order. */
	places: readonly ArgumentPlace[];
	/** Whether the first argument may be repeated. */
	isRepeated: boolean;
};

/** Lists what the scripts of all three shells need to know about the commands. */
export function completedCommands(commands: readonly Command[]): readonly CompletedCommand[] {
	return commands
		.filter(({ isHidden }) => !isHidden)
		.map(({ name, aliases = [], summary, options, argumentUsage = '' }) => ({
			names: [name, ...aliases],
			summary,
			options: [...options, ...optionsEverywhere],
			places: argumentUsage.split(' ').flatMap(argumentPlaceFrom),
			isRepeated: argumentUsage.startsWith('ID…'),
		}));
}

function argumentPlaceFrom(word: string): readonly ArgumentPlace[] {
	if (word.startsWith('ID')) return [{ ask: 'computers' }];
	if (word === 'PORT') return [{ ask: 'ports' }];
	if (word === 'FILE') return [{ ask: 'files' }];
	return word.includes('|') ? [{ words: word.split('|') }] : [];
}

/** Lists the options that take a value, of all commands together. */
export function valuedOptions(commands: readonly CompletedCommand[]): readonly string[] {
	const valued = commands.flatMap(({ options }) => options.filter(({ value }) => value));
	return [...new Set(valued.map(({ name }) => `--${name}`))];
}

/** Maps the first word of each two-word command to all words that may follow. */
export function firstWords(commands: readonly CompletedCommand[]): ReadonlyMap<string, string[]> {
	const found = new Map<string, string[]>();
	for (const [first = '', second] of commands.flatMap(({ names }) => names.map(wordsOf))) {
		if (second !== undefined) found.set(first, [...(found.get(first) ?? []), second]);
	}
	return found;
}

const wordsOf = (name: string) => name.split(' ');

/** Quotes a text for a shell in which nothing can be escaped within single quotes. */
export function quotedForShell(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
