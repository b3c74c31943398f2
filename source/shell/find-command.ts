import type { Command } from './command.ts';

/** `commandWord` is the first word of the command's name. `otherWords` are the options and arguments. */
type FoundCommand = {
	command: Command | undefined;
	commandWord?: string;
	otherWords: readonly string[];
};

/**
 * Finds the command that the words of a command line name. If the words name no command, returns the default
 * command.
 */
export function findCommand(commands: readonly Command[], words: readonly string[]): FoundCommand {
	const nameIndex = indexOfCommandName(commands, words);
	const name = words[nameIndex];
	if (name === undefined || name.startsWith('-'))
		return { command: commands[0], otherWords: words };
	for (const command of commands) {
		for (const nameWords of commandNamesOf(command).map(commandName => commandName.split(' '))) {
			const rest = words.toSpliced(nameIndex, nameWords.length);
			if (nameWords.every((nameWord, offset) => nameWord === words[nameIndex + offset]))
				return { command, commandWord: name, otherWords: rest };
		}
	}
	return { command: undefined, commandWord: name, otherWords: words.toSpliced(nameIndex, 1) };
}

/**
 * Skips the options that precede the command's name. An option such as --profile takes a value in every
 * command that has the option, so the options can be skipped before the command is known.
 */
function indexOfCommandName(commands: readonly Command[], words: readonly string[]): number {
	const valuedOptions = commands.flatMap(({ options }) =>
		options.filter(({ valueName }) => valueName),
	);
	const wordsBeforeValue = new Set(
		valuedOptions.flatMap(({ name, shortName }) => [`--${name}`, shortName && `-${shortName}`]),
	);
	for (let index = 0; ; ) {
		const word = words[index];
		if (!word?.startsWith('-') || word === '--') return index;
		index += wordsBeforeValue.has(word) ? 2 : 1;
	}
}

/** Returns the name and the aliases of a command. */
export function commandNamesOf({ name, aliases = [] }: Command): readonly string[] {
	return [name, ...aliases];
}
