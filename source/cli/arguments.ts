import { parseArgs } from 'node:util';
import { splitNames } from '../accounts/setting-values.ts';
import { parseDuration } from '../foundation/duration.ts';
import { UsageError } from '../foundation/error.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import { quoteForShell } from '../foundation/shell-words.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import { type Command, commandNamesOf, type Option, wrongValueText } from './command.ts';

export function tokensFrom(words: readonly string[], options: readonly Option[]) {
	const known = options.map(({ name, shortName, valueName, isRepeatable = false }) => {
		const type: 'string' | 'boolean' = valueName ? 'string' : 'boolean';
		const rest = { type, multiple: isRepeatable };
		return [name, shortName ? { ...rest, short: shortName } : rest] as const;
	});
	return parseArgs({
		args: [...words],
		options: Object.fromEntries(known),
		allowPositionals: true,
		strict: false,
		tokens: true,
	}).tokens;
}

type OptionToken = Extract<ReturnType<typeof tokensFrom>[number], { kind: 'option' }>;

/** Options may precede the name of the command. */
export function findCommand(commands: readonly Command[], words: readonly string[]) {
	const byDefault = { command: commands[0], commandWord: undefined, otherWords: words };
	if (words.length === 0) return byDefault;
	// An option such as --profile takes a value in every command that has it.
	const options = commands.flatMap(each => each.options);
	const first = tokensFrom(words, options).find(({ kind }) => kind !== 'option');
	if (first?.kind !== 'positional') return byDefault;
	const { index: at, value: commandWord } = first;
	for (const command of commands) {
		for (const nameWords of commandNamesOf(command).map(name => name.split(' '))) {
			if (!nameWords.every((nameWord, offset) => nameWord === words[at + offset])) continue;
			return { command, commandWord, otherWords: words.toSpliced(at, nameWords.length) };
		}
	}
	return { command: undefined, commandWord, otherWords: words.toSpliced(at, 1) };
}

export function unknownCommandText(commands: readonly Command[], word = ''): string {
	const names = commands.filter(({ isHidden }) => !isHidden).flatMap(commandNamesOf);
	const similar = names.find(name => name.startsWith(`${word} `)) ?? nearestName(word, names);
	return `No command ${word}.${similar ? ` Did you mean ${similar}?` : ''}`;
}

export function parseWords(
	command: Command,
	words: readonly string[],
	allCommands: readonly Command[],
): ParsedArgs {
	const tokens = words.length === 0 ? [] : tokensFrom(words, command.options);
	const used = tokens.flatMap(token => {
		if (token.kind !== 'option') return [];
		const option = command.options.find(({ name }) => name === token.name);
		if (!option) throw new UsageError(unknownOptionText(command, token, allCommands));
		return [{ name: option.name, value: checkedValue(command, option, token) }];
	});
	const positionals = tokens.flatMap(each => (each.kind === 'positional' ? each.value : []));
	const [first] = positionals;
	if (first !== undefined && command.argumentUsage === undefined) {
		const hint = argumentHint(command, positionals);
		throw new UsageError(`${command.name} takes no arguments, but got ${first}${hint}`);
	}
	const textsOf = (name: string) =>
		used.flatMap(each => (each.name === name ? (each.value ?? []) : []));
	const text = (name: string) => textsOf(name).at(-1);
	const checked = (name: string, taken: string, read: (value: string) => number | undefined) => {
		const value = text(name);
		const found = value === undefined ? undefined : read(value);
		if (value !== undefined && found === undefined)
			throw new UsageError(`--${name} takes ${taken}`);
		return found;
	};
	return {
		text,
		list: name => splitNames(textsOf(name)),
		flag: name => used.some(each => each.name === name && each.value === undefined),
		hasOption: name => command.options.some(option => option.name === name),
		wholeNumber: (name, min, max) =>
			checked(name, `a whole number from ${min} to ${max}`, value =>
				integerWithin(/^\d{1,9}$/.test(value) ? Number(value) : undefined, min, max),
			),
		timeout: checked('timeout', '1 to 86400 seconds, such as 90, 90s or 2m', value => {
			const duration = parseDuration(/^\d+$/.test(value) ? `${value}s` : value);
			return integerWithin(duration && duration / 1000, 1, 86_400);
		}),
		duration: name =>
			checked(
				name,
				'a time such as 90s, 30m, 2h or 7d',
				value => parseDuration(value) || undefined,
			),
		positionals,
	};
}

const integerWithin = (number: number | undefined, min: number, max: number) =>
	number !== undefined && Number.isInteger(number) && number >= min && number <= max
		? number
		: undefined;

function unknownOptionText(
	command: Command,
	{ name, rawName }: OptionToken,
	allCommands: readonly Command[],
): string {
	const owners = allCommands
		.filter(({ isHidden, options }) => !isHidden && options.some(each => each.name === name))
		.map(owner => owner.name);
	if (owners.length > 0) {
		const ellipsis = owners.length > 3 ? ', …' : '';
		return `${command.name} has no option ${rawName}; it belongs to ${owners.slice(0, 3).join(', ')}${ellipsis}`;
	}
	const ownNames = ['help', 'version', ...command.options.map(option => option.name)];
	const nearest = rawName.startsWith('--') ? nearestName(name, ownNames) : undefined;
	return `Unknown option ${rawName}.${nearest ? ` Did you mean --${nearest}?` : ''}`;
}

function checkedValue(
	command: Command,
	{ name, valueName, isRepeatable, values }: Option,
	{ value, inlineValue, rawName }: OptionToken,
): string | undefined {
	if (valueName === undefined) {
		if (value !== undefined) throw new UsageError(`${rawName} takes no value, but got ${value}`);
		return undefined;
	}
	// A value may begin with a dash, such as the filter -name:test, but not with an option of the command.
	if (value === undefined || (!inlineValue && isOptionOf(command, value)))
		throw new UsageError(`${rawName} needs a value: --${name}=${valueName}`);
	if (typeof values === 'object') {
		const given = isRepeatable ? splitNames([value]) : [value];
		const wrong = given.find(each => !values.includes(each));
		if (wrong !== undefined) throw new UsageError(wrongValueText(rawName, wrong, values));
	}
	return value;
}

const isOptionOf = ({ options }: Command, word: string) =>
	word.startsWith('--') || options.some(({ shortName }) => shortName && word === `-${shortName}`);

function argumentHint(
	{ name, options, commandWithArguments: other }: Command,
	positionals: readonly string[],
): string {
	const takesFilter = options.some(({ values }) => values === 'filter');
	if (takesFilter && positionals.some(word => word.includes(':')))
		return `. Try crowsnest ${name} --filter ${quoteForShell(positionals.join(' '))}`;
	return other === undefined ? '' : `. Try crowsnest ${other} ${positionals[0]}`;
}
