import { splitNames } from '../accounts/setting-values.ts';
import { durationFrom } from '../foundation/duration.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import { quoteForShell } from '../foundation/shell-words.ts';
import { tokensFrom } from './arg-tokens.ts';
import { checkedOptions } from './check-options.ts';
import type { Command, ParsedArgs } from './command.ts';
import { UsageError } from './errors.ts';

/**
 * Parses the options and arguments of a command. With `allCommands`, the error for an unknown option can
 * name another command that has the option.
 */
export function parseWords(
	command: Pick<Command, 'name' | 'options' | 'argumentUsage' | 'commandWithArguments'>,
	words: readonly string[],
	allCommands: readonly Command[],
): ParsedArgs {
	const tokens = tokensFrom(words, command.options);
	const used = checkedOptions(command, tokens, allCommands);
	const positionals = tokens.flatMap(each => (each.kind === 'positional' ? each.value : []));
	if (positionals.length > 0 && command.argumentUsage === undefined) {
		const [first] = positionals;
		throw new UsageError(
			`${command.name} takes no arguments, but got ${first}${argumentHint(command, positionals)}`,
		);
	}
	const textsOf = (name: string) =>
		used.flatMap(each => (each.option.name === name ? (each.text ?? []) : []));
	const text = (name: string) => textsOf(name).at(-1);
	return {
		text,
		list: name => splitNames(textsOf(name)),
		flag: name => used.some(each => each.option.name === name && each.text === undefined),
		hasOption: name => command.options.some(option => option.name === name),
		wholeNumber(name, min, max) {
			const value = text(name);
			if (value === undefined) return undefined;
			const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
			if (number >= min && number <= max) return number;
			throw new UsageError(`--${name} takes a whole number from ${min} to ${max}`);
		},
		seconds(name, min, max) {
			const value = text(name);
			if (value === undefined) return undefined;
			const duration = durationFrom(/^\d+$/.test(value) ? `${value}s` : value);
			const seconds = (duration ?? Number.NaN) / 1000;
			if (Number.isInteger(seconds) && seconds >= min && seconds <= max) return seconds;
			throw new UsageError(`--${name} takes ${min} to ${max} seconds, such as 90, 90s or 2m`);
		},
		duration(name) {
			const value = text(name);
			if (value === undefined) return undefined;
			const duration = durationFrom(value);
			if (duration) return duration;
			throw new UsageError(`--${name} takes a time such as 90s, 30m, 2h or 7d`);
		},
		positionals,
	};
}

/** Names the command line that a person who gave arguments probably meant: a filter, or another command. */
function argumentHint(
	{ name, options, commandWithArguments: other }: Parameters<typeof parseWords>[0],
	positionals: readonly string[],
): string {
	const takesFilter = options.some(({ values }) => values === 'filter');
	if (takesFilter && positionals.some(word => word.includes(':')))
		return `. Try crowsnest ${name} --filter ${quoteForShell(positionals.join(' '))}`;
	return other === undefined ? '' : `. Try crowsnest ${other} ${positionals[0]}`;
}

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

/** Says that there is no such command, and names the nearest one. */
export function unknownCommandText(commands: readonly Command[], word = ''): string {
	const names = commands.filter(({ isHidden }) => !isHidden).flatMap(commandNamesOf);
	const similar = names.find(name => name.startsWith(`${word} `)) ?? nearestName(word, names);
	return `No command ${word}.${similar ? ` Did you mean ${similar}?` : ''}`;
}
