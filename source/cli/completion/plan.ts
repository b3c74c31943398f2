import type { Command, Option } from '../../shell/command.ts';
import { optionsEverywhere } from '../../shell/help.ts';

/** What may stand in one place: words that are fixed, what `crowsnest complete` is asked for, or files. */
export type ArgumentPlace = { words: readonly string[] } | { ask: 'computers' | 'ports' | 'files' };

/** A command as a shell completes it. */
export type CompletedCommand = {
	/** All it is called. */
	names: readonly string[];
	summary: string;
	options: readonly Option[];
	/** What stands where, of the words that are no options. */
	places: readonly ArgumentPlace[];
	/** What stands in the first place may stand in all that follow. */
	isRepeated: boolean;
};

/** What all three scripts are made from. */
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

/** The options, by any command, behind which stands a value. */
export function valuedOptions(commands: readonly CompletedCommand[]): readonly string[] {
	const valued = commands.flatMap(({ options }) => options.filter(({ value }) => value));
	return [...new Set(valued.map(({ name }) => `--${name}`))];
}

/** The first words of commands that have two, with what may follow each. */
export function firstWords(commands: readonly CompletedCommand[]): ReadonlyMap<string, string[]> {
	const found = new Map<string, string[]>();
	for (const [first = '', second] of commands.flatMap(({ names }) => names.map(wordsOf))) {
		if (second !== undefined) found.set(first, [...(found.get(first) ?? []), second]);
	}
	return found;
}

const wordsOf = (name: string) => name.split(' ');

/** A text as one word of a shell that knows no escapes between single quotes. */
export function quotedForShell(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
