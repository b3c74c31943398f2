import { parseArgs } from 'node:util';
import { namesIn } from '../accounts/setting-values.ts';
import { durationFrom } from '../foundation/duration.ts';
import type { Command, Option, ParsedArgs } from './command.ts';
import { UsageError } from './errors.ts';

/**
 * Parses the options and arguments of a command. With `allCommands`, the error for an unknown option can
 * name another command that has the option.
 */
export function parseWords(
	command: Command,
	words: readonly string[],
	allCommands: readonly Command[],
): ParsedArgs {
	refuseForeignOption(command, words, allCommands);
	const { values, positionals } = parseStrictly(words, parserOptionsOf(command.options));
	if (positionals.length > 0 && command.argumentUsage === undefined) {
		throw new UsageError(`${command.name} takes no arguments, but got ${positionals[0]}`);
	}
	const text = (name: string) => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	return {
		text,
		list(name) {
			const texts = [values[name] ?? []].flat().filter(value => typeof value === 'string');
			return namesIn(texts);
		},
		flag: name => values[name] === true,
		hasOption: name => command.options.some(option => option.name === name),
		wholeNumber(name, min, max) {
			const value = text(name);
			if (value === undefined) return undefined;
			const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
			if (number >= min && number <= max) return number;
			throw new UsageError(`--${name} takes a whole number from ${min} to ${max}`);
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

type ParserOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parserOptionsOf(options: readonly Option[]): ParserOptions {
	return Object.fromEntries(
		options.map(({ name, shortName, valueName, isRepeatable = false }) => [
			name,
			{
				type: valueName ? ('string' as const) : ('boolean' as const),
				multiple: isRepeatable,
				...(shortName && { short: shortName }),
			},
		]),
	);
}

/** Splits the words of a command line into options and arguments, whether or not the options exist. */
export function tokensFrom(words: readonly string[], options: readonly Option[]) {
	return parseArgs({
		args: [...words],
		options: parserOptionsOf(options),
		allowPositionals: true,
		strict: false,
		tokens: true,
	}).tokens;
}

/**
 * Throws a usage error for an option that only other commands have. The error names those commands, because
 * the person may know the option from one of them.
 */
function refuseForeignOption(
	command: Command,
	words: readonly string[],
	allCommands: readonly Command[],
) {
	const ownNames = new Set(command.options.map(({ name }) => name));
	for (const token of tokensFrom(words, command.options)) {
		if (token.kind !== 'option' || ownNames.has(token.name)) continue;
		const commandsWithOption = allCommands.filter(
			candidate => !candidate.isHidden && candidate.options.some(({ name }) => name === token.name),
		);
		if (commandsWithOption.length === 0) continue;
		const names = commandsWithOption.slice(0, 3).map(({ name }) => name);
		const ellipsis = commandsWithOption.length > names.length ? ', …' : '';
		throw new UsageError(
			`${command.name} has no option ${token.rawName}; it belongs to ${names.join(', ')}${ellipsis}`,
		);
	}
}

function parseStrictly(words: readonly string[], options: ParserOptions) {
	try {
		return parseArgs({ args: [...words], options, allowPositionals: true });
	} catch (error) {
		throw new UsageError(error instanceof Error ? (error.message.split('.')[0] ?? '') : '');
	}
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
