import { splitNames } from '../accounts/setting-values.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import type { ArgToken } from './arg-tokens.ts';
import type { Command, Option } from './command.ts';
import { UsageError } from './errors.ts';

/** An option of a command line. A flag has no text. */
type UsedOption = { option: Option; text: string | undefined };

type OptionToken = Extract<ArgToken, { kind: 'option' }>;

/**
 * Returns the options that a command line uses, in their order. Throws a usage error for an unknown option, a missing
 * value, and a value that the option does not take.
 */
export function checkedOptions(
	command: Pick<Command, 'name' | 'options'>,
	tokens: readonly ArgToken[],
	allCommands: readonly Command[],
): readonly UsedOption[] {
	return tokens.flatMap(token => {
		if (token.kind !== 'option') return [];
		const option = command.options.find(({ name }) => name === token.name);
		if (!option) throw new UsageError(unknownOptionText(command, token, allCommands));
		return { option, text: checkedText(command, option, token) };
	});
}

/** A person may know the option from another command, so the message names the commands that have it. */
function unknownOptionText(
	command: Pick<Command, 'name' | 'options'>,
	{ name, rawName }: OptionToken,
	allCommands: readonly Command[],
): string {
	const commandsWithOption = allCommands.filter(
		candidate => !candidate.isHidden && candidate.options.some(option => option.name === name),
	);
	if (commandsWithOption.length > 0) {
		const names = commandsWithOption.slice(0, 3).map(each => each.name);
		const ellipsis = commandsWithOption.length > names.length ? ', …' : '';
		return `${command.name} has no option ${rawName}; it belongs to ${names.join(', ')}${ellipsis}`;
	}
	const ownNames = ['help', 'version', ...command.options.map(option => option.name)];
	const nearest = rawName.startsWith('--') ? nearestName(name, ownNames) : undefined;
	return `Unknown option ${rawName}.${nearest ? ` Did you mean --${nearest}?` : ''}`;
}

function checkedText(
	command: Pick<Command, 'options'>,
	{ name, valueName, isRepeatable, values }: Option,
	{ value, inlineValue, rawName }: OptionToken,
): string | undefined {
	if (valueName === undefined) {
		if (value !== undefined) throw new UsageError(`${rawName} takes no value, but got ${value}`);
		return undefined;
	}
	// A value may begin with a dash, such as the filter -name:test. If the next word is an option of the command, the
	// value is missing.
	if (value === undefined || (!inlineValue && isOptionOf(command, value))) {
		throw new UsageError(`${rawName} needs a value: --${name}=${valueName}`);
	}
	if (typeof values === 'object') {
		const wrong = (isRepeatable ? splitNames([value]) : [value]).find(
			each => !values.includes(each),
		);
		if (wrong !== undefined) throw new UsageError(wrongValueText(rawName, wrong, values));
	}
	return value;
}

const isOptionOf = ({ options }: Pick<Command, 'options'>, word: string) =>
	word.startsWith('--') || options.some(({ shortName }) => shortName && word === `-${shortName}`);

/** Says that an option does not take this value, and names the most similar value, or all values. */
export function wrongValueText(rawName: string, wrong: string, values: readonly string[]): string {
	const nearest = nearestName(wrong, values);
	const hint = nearest ? `Did you mean ${nearest}?` : `It takes ${values.join(', ')}`;
	return `${rawName} does not take ${wrong === '' ? 'an empty value' : wrong}. ${hint}`;
}
