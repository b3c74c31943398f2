import type { Command, Option } from '../../shell/command.ts';
import { findCommand, namesOf } from '../../shell/find-command.ts';
import { commonOptions } from '../../shell/help.ts';
import { tokensFrom } from '../../shell/parse-args.ts';

/** A word that the shell offers as a completion, and the description that the shell shows beside the word. */
export type Candidate = readonly [word: string, description: string];

/** Fixed words, or the words that files of this host contain. */
type Source = readonly Candidate[] | 'computers' | 'ports' | 'profiles' | 'files';

/** The completions of the word at the cursor. */
export type ExpectedWord = {
	sources: readonly Source[];
	/** The beginning of the word that is not part of a candidate, such as `--profile=`. */
	prefix: string;
	/** The rest of the word, as far as it is typed. */
	typed: string;
	/** The arguments in front of the word. */
	positionals: readonly string[];
	/** The value of --profile in front of the word. */
	profile: string | undefined;
};

/** Returns the completions of the last of these words, which is the word at the cursor. */
export function expectedWord(
	allCommands: readonly Command[],
	words: readonly string[],
): ExpectedWord {
	const commands = allCommands.filter(({ isHidden }) => !isHidden);
	const { command, commandWord, otherWords } = findCommand(commands, words.slice(0, -1));
	const options = [...(command?.options ?? []), ...commonOptions];
	const tokens = tokensFrom(otherWords, options);
	const positionals = tokens.flatMap(token => (token.kind === 'positional' ? token.value : []));
	const values = tokens.flatMap(token => (token.kind === 'option' ? token : []));
	const profile = values.findLast(({ name }) => name === 'profile')?.value;
	const isArgument = tokens.some(({ kind }) => kind === 'option-terminator');
	const word = words.at(-1) ?? '';
	const base = { prefix: '', typed: word, positionals, profile };

	const last = tokens.at(-1);
	const valued = options.find(({ name, valueName }) => valueName && isNamed(last, name));
	if (valued) return { ...base, sources: valueSources(valued) };
	if (word.startsWith('-') && !isArgument) {
		const [, prefix, name] = /^(--([^=]+)=)/.exec(word) ?? [];
		if (prefix === undefined) return { ...base, sources: [options.map(optionCandidate)] };
		const option = options.find(each => each.name === name && each.valueName);
		return { ...base, sources: valueSources(option), prefix, typed: word.slice(prefix.length) };
	}
	if (command !== undefined && commandWord !== undefined) {
		return { ...base, sources: argumentSources(command, positionals.length) };
	}
	// The first word of a two-word command does not name a command yet.
	const nextWords = positionals.length > 0 ? [] : commandCandidates(commands, commandWord);
	return { ...base, sources: [nextWords] };
}

/** Returns whether the token is this option without the value that should follow. */
function isNamed(token: ReturnType<typeof tokensFrom>[number] | undefined, name: string): boolean {
	return token?.kind === 'option' && token.name === name && token.value === undefined;
}

function valueSources(option: Option | undefined): readonly Source[] {
	const { values = [] } = option ?? {};
	return [values === 'profiles' ? values : values.map(value => [value, ''] as const)];
}

const optionCandidate = ({ name, help }: Option): Candidate => [`--${name}`, help];

function commandCandidates(
	commands: readonly Command[],
	firstWord: string | undefined,
): readonly Candidate[] {
	const candidates = commands.flatMap(command =>
		namesOf(command).flatMap((name): readonly Candidate[] => {
			const [first = '', second] = name.split(' ');
			if (firstWord === undefined) return [[first, command.summary]];
			return first === firstWord && second !== undefined ? [[second, command.summary]] : [];
		}),
	);
	return [...new Map(candidates)];
}

/** Returns the completions of an argument, which the usage of the command describes, such as `ID… PORT`. */
function argumentSources({ argumentUsage = '' }: Command, index: number): readonly Source[] {
	const arguments_ = argumentUsage.split(' ').map(argumentSource);
	const isRepeated = argumentUsage.startsWith('ID…') && index > 0;
	const source = arguments_[index];
	return isRepeated ? arguments_ : source === undefined ? [] : [source];
}

function argumentSource(usage: string): Source {
	if (usage.startsWith('ID')) return 'computers';
	if (usage === 'PORT') return 'ports';
	if (usage === 'FILE') return 'files';
	return usage.includes('|') ? usage.split('|').map(word => [word, ''] as const) : [];
}
