import type { Command, Option } from '../../shell/command.ts';
import { commonOptions } from '../../shell/help.ts';

/** What the shell offers for one argument: fixed words, the output of `crowsnest complete`, or files. */
export type ArgumentCompletion =
	| { words: readonly string[] }
	| { ask: 'computers' | 'ports' | 'files' };

/** What a completion script needs to know about a command. */
export type CompletedCommand = {
	/** The name and the aliases of the command. */
	names: readonly string[];
	summary: string;
	options: readonly Option[];
	/** The arguments of the command, in order. */
	argumentCompletions: readonly ArgumentCompletion[];
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
			options: [...options, ...commonOptions],
			argumentCompletions: argumentUsage.split(' ').flatMap(argumentCompletionsFrom),
			isRepeated: argumentUsage.startsWith('ID…'),
		}));
}

function argumentCompletionsFrom(word: string): readonly ArgumentCompletion[] {
	if (word.startsWith('ID')) return [{ ask: 'computers' }];
	if (word === 'PORT') return [{ ask: 'ports' }];
	if (word === 'FILE') return [{ ask: 'files' }];
	return word.includes('|') ? [{ words: word.split('|') }] : [];
}

/** Lists the options that take a value, of all commands together. */
export function optionNamesWithValue(commands: readonly CompletedCommand[]): readonly string[] {
	const optionsWithValue = commands.flatMap(({ options }) =>
		options.filter(({ valueName }) => valueName),
	);
	return [...new Set(optionsWithValue.map(({ name }) => `--${name}`))];
}

/** Maps the first word of each two-word command to all words that may follow. */
export function secondWordsByFirst(
	commands: readonly CompletedCommand[],
): ReadonlyMap<string, string[]> {
	const secondWords = new Map<string, string[]>();
	for (const [first = '', second] of commands.flatMap(({ names }) => names.map(wordsOf))) {
		if (second !== undefined) secondWords.set(first, [...(secondWords.get(first) ?? []), second]);
	}
	return secondWords;
}

const wordsOf = (name: string) => name.split(' ');

/** Quotes a text for a shell in which nothing can be escaped within single quotes. */
export function quotedForShell(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
