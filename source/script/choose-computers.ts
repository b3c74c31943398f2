import type {
	AccountSettings,
	ChosenAccounts,
	LoadedSettings,
} from '../accounts/account-settings.ts';
import { isCountedPhase, type ReadingField } from '../fleet/computers/computer.ts';
import {
	computerNameFilter,
	type FieldSource,
	fieldNameFrom,
	fields,
} from '../fleet/computers/field.ts';
import type { OrderField } from '../fleet/computers/order-fields.ts';
import { type Filter, filterFrom, filterWordsIn, isOr } from '../fleet/filters/filter.ts';
import { CommandError, UsageError } from '../foundation/error.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import type { Host } from '../session/host.ts';
import { loadSettings, requireAccounts, severalProfilesText } from '../session/settings.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { ParsedArgs } from './command.ts';
import { readComputerNames } from './complete-readings.ts';
import type { Fleet, Fleets } from './fleet.ts';

/** `nova`, or `lab/nova` with its account. */
export type ComputerWord = {
	text: string;
	account?: string;
	idOrName: string;
};

type ProfileNames = Pick<AccountSettings, 'name' | 'shortName'>;

/** A word without a profile's name in front is an id or a name, even if it contains a slash. */
function computerWordsFrom(
	words: readonly string[],
	profiles: readonly ProfileNames[],
): readonly ComputerWord[] {
	return words.map(text => {
		const slash = text.indexOf('/');
		const prefix = text.slice(0, Math.max(0, slash));
		const profile = profiles.find(({ name, shortName }) => [name, shortName].includes(prefix));
		if (profile === undefined) return { text, idOrName: text };
		return { text, account: profile.name, idOrName: text.slice(slash + 1) };
	});
}

export type ChosenByWords = { accounts: ChosenAccounts; words: readonly ComputerWord[] };

/** If every word names its account, only those accounts are opened; otherwise the options choose, as without words. */
export function accountsForWords(
	host: Host,
	args: Pick<ParsedArgs, 'list' | 'flag'>,
	texts: readonly string[],
	load: (host: Host, args: Pick<ParsedArgs, 'list' | 'flag'>) => LoadedSettings = loadSettings,
): ChosenByWords {
	const settings = load(host, args);
	const words = computerWordsFrom(texts, 'profiles' in settings ? settings.profiles : []);
	const empty = words.find(({ account, idOrName }) => account !== undefined && idOrName === '');
	if (empty) throw new UsageError(`Write the id or the name of a computer after ${empty.text}`);
	const named = [...new Set(words.flatMap(({ account }) => account ?? []))];
	const isEveryNamed = named.length > 0 && words.every(({ account }) => account !== undefined);
	if (settings.kind === 'choice' && !isEveryNamed) {
		const bare = words.find(({ account }) => account === undefined);
		const [example] = settings.profiles;
		const hint = bare && example ? `, or write ${example.name}/${bare.idOrName}` : '';
		throw new UsageError(cleanForTerminal(`${severalProfilesText(settings.profiles)}${hint}`));
	}
	const isFlagged = args.list('profile').length > 0 || args.flag('all-profiles');
	if (!isFlagged && isEveryNamed) {
		const chosen = loadSettings(host, { list: () => named, flag: args.flag });
		return { accounts: requireAccounts(host, chosen), words };
	}
	const accounts = requireAccounts(host, settings);
	const outside = words.find(
		({ account }) => account !== undefined && !accounts.some(({ name }) => name === account),
	);
	if (outside) {
		const names = accounts.map(({ name }) => name).join(', ');
		throw new UsageError(
			`${cleanForTerminal(outside.text)} is not in the chosen profiles: ${names}`,
		);
	}
	const [first, ...others] = accounts.filter(({ name }) => named.includes(name));
	return { accounts: isEveryNamed && first ? [first, ...others] : accounts, words };
}

export function accountsForWord(
	host: Host,
	args: ParsedArgs,
	text: string,
): { accounts: ChosenAccounts; computerWord: ComputerWord } {
	const { accounts, words } = accountsForWords(host, args, [text]);
	return { accounts, computerWord: words[0] ?? { text, idOrName: text } };
}

export function accountForWords(
	host: Host,
	args: ParsedArgs,
	texts: readonly string[],
): { account: AccountSettings; words: readonly ComputerWord[] } {
	const { accounts, words } = accountsForWords(host, args, texts);
	const [account, ...others] = accounts;
	if (others.length === 0) return { account, words };
	const names = accounts.map(({ name }) => name);
	const isEveryNamed = words.length > 0 && words.every(word => word.account !== undefined);
	throw new UsageError(
		isEveryNamed
			? `This command works on one account, and these computers are in ${names.join(' and ')}`
			: `This command works on one account; choose one with --profile: ${names.join(', ')}`,
	);
}

export type ComputerFilter = {
	/** They must be read before the test can be applied. */
	requiredFields: readonly ReadingField[];
	needsReasons: boolean;
	test: Filter<FieldSource>['test'];
	refuseUnknownStatus: (accounts: readonly AccountState[]) => void;
	select: (account: AccountState, now: number) => readonly ComputerState[];
};

export function filterFromOption(text: string): ComputerFilter {
	const { test, mistake } = filterFrom(text, computerNameFilter);
	const refusal = new UsageError(`--filter: ${cleanForTerminal(mistake?.problem ?? '')}`);
	if (mistake && !mistake.isUnknownValue) throw refusal;
	const names = namesInFilter(text);
	return {
		requiredFields: readingFieldsOf(names),
		needsReasons: names.includes('stage'),
		test,
		refuseUnknownStatus(accounts) {
			// A status that this program does not know may still be a status of the platform, so the filter is
			// refused only if no computer has that status.
			const computers = accounts.flatMap(account => [...account.computers.values()]);
			if (filterFrom(text, computerNameFilter, computers).mistake) throw refusal;
		},
		select: ({ computers }, now) => [...computers.values()].filter(each => test(each, now)),
	};
}

function namesInFilter(text: string) {
	const words = filterWordsIn(text).filter(word => !isOr(word));
	return words.map(({ fieldName = 'name' }) => fieldNameFrom(fieldName));
}

export const readingFieldsOf = (
	names: readonly (OrderField | undefined)[],
): readonly ReadingField[] => [
	...new Set(
		names.flatMap(name =>
			name === undefined || name === 'trouble' ? [] : (fields[name].needs ?? []),
		),
	),
];

/** `isLeftOut`: whether an account that cannot be read is left out, or the computers of an earlier read are searched. */
export async function findComputer(
	fleets: Fleets,
	{ text, idOrName }: ComputerWord,
	isLeftOut: (fleet: Fleet, failure: CommandError) => boolean = (_, failure) => {
		throw failure;
	},
): Promise<{ fleet: Fleet; computer: ComputerState }> {
	const failures: CommandError[] = [];
	const searched = await Promise.all(
		fleets.map(async (fleet): Promise<readonly Fleet[]> => {
			try {
				await fleet.readOrThrow('list');
				await readComputerNames(fleet, [idOrName]);
			} catch (error) {
				if (!(error instanceof CommandError) || fleet.signal.aborted) throw error;
				if (!isLeftOut(fleet, error)) return [fleet];
				failures.push(error);
				return [];
			}
			return [fleet];
		}),
	);
	const [failure] = failures;
	if (failure && failures.length === fleets.length) throw failure;
	const states = searched.flat().map(fleet => ({ fleet, account: fleet.accountNow() }));
	const having = states.filter(({ account }) => computersMatching(account, idOrName).length > 0);
	const [first, ...others] = having;
	if (others.length > 0) {
		const count = having.flatMap(({ account }) => computersMatching(account, idOrName)).length;
		const exact = having.map(({ fleet }) => `${fleet.name}/${idOrName}`).join(', ');
		throw new UsageError(
			cleanForTerminal(`${text} names ${count} computers. Write one of: ${exact}`),
		);
	}
	const [computer] = first ? computersNamed(first.account, [idOrName]) : [];
	if (first && computer) return { fleet: first.fleet, computer };
	const accounts = states.map(({ account }) => account);
	throw new UsageError(cleanForTerminal(noMatchText(accounts, idOrName)));
}

export function computersNamed(
	account: AccountState,
	words: readonly string[],
): readonly ComputerState[] {
	const found = [...new Set(words)].map(word => ({
		word,
		matches: computersMatching(account, word),
	}));
	const problems = found
		.filter(({ matches }) => matches.length !== 1)
		.map(({ word, matches }) => matchProblemText(account, word, matches));
	if (problems.length > 0) throw new UsageError(problems.map(cleanForTerminal).join('\n'));
	return [...new Set(found.flatMap(({ matches }) => matches))];
}

// Returns all computers with this id or name, so that a command such as delete refuses an ambiguous word
// instead of guessing. Removed computers are ignored if a present computer matches.
function computersMatching({ computers }: AccountState, word: string): readonly ComputerState[] {
	const named = [...computers.values()].filter(
		({ id, reading }) => id === word || reading.name === word,
	);
	const present = named.filter(({ phase }) => isCountedPhase(phase));
	return present.length > 0 ? present : named;
}

function matchProblemText(
	account: AccountState,
	word: string,
	matches: readonly ComputerState[],
): string {
	const { computers } = account;
	if (matches.length > 0) {
		const ids = matches.map(({ id }) => id).join(', ');
		const computerWithId = computers.get(word);
		if (computerWithId && matches.includes(computerWithId)) {
			const others = matches.filter(each => each !== computerWithId).map(({ id }) => id);
			const name = computerWithId.reading.name ? ` (${computerWithId.reading.name})` : '';
			return `${word} is the id of one computer${name} and the name of another. To name the other computer, use its id: ${others.join(', ')}`;
		}
		return `${word} is the name of ${matches.length} computers. Use the id of one: ${ids}`;
	}
	return noMatchText([account], word);
}

function noMatchText(accounts: readonly AccountState[], word: string): string {
	const computers = accounts.flatMap(account => [...account.computers.values()]);
	const names = computers.flatMap(({ id, reading }) => [reading.name || id, id]);
	const longerNames = names.filter(name => word.length > 1 && name.startsWith(word));
	const suggestions =
		longerNames.length > 0
			? [...new Set(longerNames)].slice(0, 5)
			: [nearestName(word, names) ?? ''];
	const hint = suggestions.filter(Boolean).join(', ');
	return `No computer has the id or name ${word}.${hint ? ` Did you mean ${hint}?` : ''}`;
}
