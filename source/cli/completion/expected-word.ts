import { splitNames } from '../../accounts/setting-values.ts';
import { tokensFrom } from '../../shell/arg-tokens.ts';
import type { Command, Option } from '../../shell/command.ts';
import { commonOptions } from '../../shell/help.ts';
import { commandNamesOf, findCommand } from '../../shell/parse-args.ts';

/** A word that the shell offers as a completion, and the description that the shell shows beside the word. */
export type Candidate = readonly [word: string, description: string];

/** Where candidates come from: fixed words, or the names in files of this host. */
type CandidateSource =
	| readonly Candidate[]
	| 'computers'
	| 'ports'
	| 'profiles'
	| 'filter'
	| 'files';

/** The completions of the word at the cursor. */
export type ExpectedWord = {
	sources: readonly CandidateSource[];
	/** The beginning of the word that the candidates do not contain, such as `--profile=`. */
	prefix: string;
	/** The part of the word after the prefix that a person has typed so far. */
	typed: string;
	/** The arguments in front of the word. */
	positionals: readonly string[];
	/** The values of --profile anywhere in the line. */
	profiles: readonly string[];
	/** Whether --all-profiles is anywhere in the line. */
	isForAllProfiles: boolean;
};

/**
 * Returns the completions of the last of these words, which is the word at the cursor. `laterWords` are the words
 * after it, which may name the profile.
 */
export function expectedWord(
	allCommands: readonly Command[],
	words: readonly string[],
	laterWords: readonly string[] = [],
): ExpectedWord {
	const commands = allCommands.filter(({ isHidden }) => !isHidden);
	const { command, commandWord, otherWords } = findCommand(commands, words.slice(0, -1));
	const options = [...(command?.options ?? []), ...commonOptions];
	const tokens = tokensFrom(otherWords, options);
	const positionals = tokens.flatMap(token => (token.kind === 'positional' ? token.value : []));
	const laterTokens = tokensFrom(laterWords, options);
	const values = [...tokens, ...laterTokens].flatMap(each => (each.kind === 'option' ? each : []));
	const profiles = splitNames(
		values.flatMap(({ name, value }) => (name === 'profile' ? (value ?? []) : [])),
	);
	const isForAllProfiles = values.some(({ name }) => name === 'all-profiles');
	const isArgument = tokens.some(({ kind }) => kind === 'option-terminator');
	const word = words.at(-1) ?? '';
	const base = { prefix: '', typed: word, positionals, profiles, isForAllProfiles };

	const last = tokens.at(-1);
	const valued = options.find(({ name, valueName }) => valueName && isOptionNamed(last, name));
	if (valued) return lastPart({ ...base, sources: valueSources(valued) }, valued);
	if (word.startsWith('-') && !isArgument) {
		const [, prefix, name] = /^(--([^=]+)=)/.exec(word) ?? [];
		if (prefix === undefined) return { ...base, sources: [options.map(optionCandidate)] };
		const option = options.find(each => each.name === name && each.valueName);
		const typed = word.slice(prefix.length);
		return lastPart({ ...base, sources: valueSources(option), prefix, typed }, option);
	}
	if (command !== undefined && commandWord !== undefined) {
		return { ...base, sources: argumentSources(command, positionals, commands) };
	}
	// The words so far may be only the first word of a two-word command, which is completed then.
	if (positionals.length > 0) return { ...base, sources: [[]] };
	const common = commandCandidates(
		commands.filter(({ isRare }) => !isRare),
		commandWord,
	);
	// A rare command is offered only where no other begins like this.
	const isCommon = common.some(([name]) => name.startsWith(word));
	return { ...base, sources: [isCommon ? common : commandCandidates(commands, commandWord)] };
}

/** Returns whether the token is this option without the value that should follow. */
function isOptionNamed(
	token: ReturnType<typeof tokensFrom>[number] | undefined,
	name: string,
): boolean {
	return token?.kind === 'option' && token.name === name && token.value === undefined;
}

/**
 * Returns the completions of the last part of a value: of the text after the last comma if the option takes several
 * values, or of the last term of a filter.
 */
function lastPart(expected: ExpectedWord, option: Option | undefined): ExpectedWord {
	const { prefix, typed, profiles } = expected;
	if (option?.values === 'filter') {
		const [term = ''] = /[^\s-]\S*$|$/.exec(typed) ?? [];
		const start = typed.length - term.length;
		return { ...expected, prefix: prefix + typed.slice(0, start), typed: term };
	}
	const start = option?.isRepeatable ? typed.lastIndexOf(',') + 1 : 0;
	const earlier = typed.slice(0, start);
	return {
		...expected,
		prefix: prefix + earlier,
		typed: typed.slice(start),
		profiles: [...profiles, ...splitNames([earlier])],
	};
}

function valueSources(option: Option | undefined): readonly CandidateSource[] {
	const { values = [], suggestions = [], valueName } = option ?? {};
	if (valueName === 'FILE') return ['files'];
	if (typeof values === 'string') return [values];
	return [[...values, ...suggestions].map(value => [value, ''] as const)];
}

const optionCandidate = ({ name, help }: Option): Candidate => [`--${name}`, help];

function commandCandidates(
	commands: readonly Command[],
	firstWord: string | undefined,
): readonly Candidate[] {
	const candidates = commands.flatMap(command =>
		commandNamesOf(command).flatMap((name): readonly Candidate[] => {
			const [first = '', second] = name.split(' ');
			if (firstWord === undefined) return [[first, command.summary]];
			return first === firstWord && second !== undefined ? [[second, command.summary]] : [];
		}),
	);
	return [...new Map(candidates)];
}

/**
 * Returns the completions of an argument. The usage of the command, such as `ID… PORT`, says which kind of argument
 * is expected.
 */
function argumentSources(
	{ argumentUsage = '' }: Command,
	positionals: readonly string[],
	commands: readonly Command[],
): readonly CandidateSource[] {
	if (argumentUsage === 'COMMAND')
		return positionals.length < 2 ? [commandCandidates(commands, positionals[0])] : [];
	const index = positionals.length;
	const arguments_ = argumentUsage.split(' ').map(argumentSource);
	const isRepeated = argumentUsage.startsWith('ID…') && index > 0;
	const source = arguments_[index];
	return isRepeated ? arguments_ : source === undefined ? [] : [source];
}

function argumentSource(word: string): CandidateSource {
	const usage = word.replace(/^\[(.*)\]$/, '$1');
	if (usage.startsWith('ID')) return 'computers';
	if (usage === 'PORT') return 'ports';
	if (usage === 'FILE') return 'files';
	return usage.includes('|') ? usage.split('|').map(word => [word, ''] as const) : [];
}

// bash passes the line as it was typed, and inserts each candidate as it stands. So the quotes of the line are
// read here, and every candidate is quoted in the same way.

const words = /(?:[^\s\\'"]|\\[\s\S]?|'[^']*'?|"(?:[^"\\]|\\[\s\S]?)*"?)+/g;

/** Splits a line into its words. The last one is the word at the cursor, which is empty after a space. */
export function typedWords(line: string): readonly string[] {
	const found = [...line.matchAll(words)];
	const last = found.at(-1);
	const endsWithWord = last !== undefined && last.index + last[0].length === line.length;
	return [...found.map(([word]) => word), ...(endsWithWord ? [] : [''])];
}

/** Returns what a typed word means without its quotes. */
export function unquoted(typed: string): string {
	return typed.replace(
		/\\([\s\S]?)|'([^']*)'?|"((?:[^"\\]|\\[\s\S]?)*)"?/g,
		(_, escaped?: string, single?: string, double?: string) =>
			escaped ?? single ?? (double ?? '').replace(/\\([\\"$`])/g, '$1'),
	);
}

/**
 * Returns the text that completes the typed word to the candidate; undefined if that is impossible. bash replaces
 * only the part of the word after the last character of `wordBreaks`, such as after the colon in `a:b`.
 */
export function bashCompletion(
	candidate: string,
	typed: string,
	wordBreaks: string,
): string | undefined {
	if (!candidate.startsWith(unquoted(typed))) return undefined;
	const start = startOfReplacedPart(typed, wordBreaks);
	const rest = candidate.slice(unquoted(typed.slice(0, start)).length);
	const part = typed.slice(start);
	if (/^'[^']*$/.test(part)) return `'${rest.replaceAll("'", "'\\''")}`;
	// Within double quotes, an interactive bash expands an exclamation mark even after a backslash.
	if (/^"([^"\\]|\\[\s\S])*$/.test(part)) return /[\\"$`!]/.test(rest) ? undefined : `"${rest}`;
	// A word with a quote in the middle is not completed.
	if (!/^([^'"\\]|\\[\s\S])*$/.test(part)) return undefined;
	return rest.replace(/[^\w./:=@%+,\-\u0080-\u{10FFFF}]/gu, '\\$&');
}

function startOfReplacedPart(typed: string, wordBreaks: string): number {
	const [unquotedStart = ''] = /^([^'"\\]|\\[\s\S])*/.exec(typed) ?? [];
	const characters = [...unquotedStart.matchAll(/\\[\s\S]|[\s\S]/g)];
	const lastBreak = characters.findLast(([character]) => wordBreaks.includes(character));
	return lastBreak === undefined ? 0 : lastBreak.index + 1;
}
