import type { Command, Option } from '../../shell/command.ts';
import { commonOptions } from '../../shell/help.ts';

/**
 * The completions of one argument: fixed words, files, or the computers or ports that `crowsnest complete`
 * prints.
 */
export type ArgumentCompletion =
	| { words: readonly string[] }
	| { ask: 'computers' | 'ports' | 'files' };

/** The properties of a command that a completion script contains. */
export type CompletedCommand = {
	/** The name and the aliases of the command. */
	names: readonly string[];
	summary: string;
	options: readonly Option[];
	/** The completions of each argument, in the order of the arguments. */
	argumentCompletions: readonly ArgumentCompletion[];
	/** Whether the command accepts several ids. */
	isRepeated: boolean;
};

/** Converts the visible commands for the completion scripts of bash, zsh and fish. */
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

/** Lists the options of any command that take a value, such as `--profile`. */
export function optionNamesWithValue(commands: readonly CompletedCommand[]): readonly string[] {
	const optionsWithValue = commands.flatMap(({ options }) =>
		options.filter(({ valueName }) => valueName),
	);
	return [...new Set(optionsWithValue.map(({ name }) => `--${name}`))];
}

/** Maps the first word of each two-word command, such as `billing`, to the possible second words. */
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

/** Quotes a text for bash and zsh, where a single-quoted text cannot contain an escaped quote. */
export function quotedForShell(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
