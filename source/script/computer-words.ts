import type {
	AccountSettings,
	ChosenAccounts,
	LoadedSettings,
} from '../accounts/account-settings.ts';
import { CommandError, UsageError } from '../foundation/error.ts';
import type { Host } from '../session/host.ts';
import { loadSettings, requireAccounts, severalProfilesText } from '../session/settings.ts';
import type { ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { ParsedArgs } from './command.ts';
import { readComputerNames } from './complete-readings.ts';
import type { Fleet, Fleets } from './fleet.ts';
import { computersMatching, computersNamed, noMatchText } from './select-computers.ts';

/** A word of the command line that names a computer: `nova`, or `lab/nova` with its account. */
export type ComputerWord = {
	text: string;
	/** The profile in front of the slash. */
	account?: string;
	/** The id or the name of the computer. */
	idOrName: string;
};

type ProfileNames = Pick<AccountSettings, 'name' | 'shortName'>;

/**
 * Splits words such as `lab/nova` at the name of a profile, or at its short name. A word without a profile's name in
 * front is the id or the name of a computer, even if it contains a slash.
 */
export function computerWordsFrom(
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

/**
 * Returns the accounts to open for these words. If every word names its account, only those accounts are opened.
 * Otherwise the options, the environment and the configuration choose the accounts, as without words.
 */
export function accountsForWords(
	host: Host,
	args: Pick<ParsedArgs, 'list' | 'flag'>,
	words: readonly string[],
	load = loadSettings,
): ChosenByWords {
	const settings = load(host, args);
	const computerWords = computerWordsFrom(words, profilesIn(settings));
	const empty = computerWords.find(({ idOrName }) => idOrName === '');
	if (empty?.account !== undefined)
		throw new UsageError(`Write the id or the name of a computer after ${empty.text}`);
	const named = [...new Set(computerWords.flatMap(({ account }) => account ?? []))];
	const isFlagged = args.list('profile').length > 0 || args.flag('all-profiles');
	const isEveryNamed = computerWords.length > 0 && computerWords.every(({ account }) => account);
	if (settings.kind === 'choice' && !isEveryNamed) {
		const [bare] = computerWords.filter(({ account }) => account === undefined);
		const [example] = settings.profiles;
		const hint = bare && example ? `, or write ${example.name}/${bare.idOrName}` : '';
		throw new UsageError(cleanForTerminal(`${severalProfilesText(settings.profiles)}${hint}`));
	}
	if (settings.kind === 'choice' || (settings.kind === 'accounts' && !isFlagged)) {
		const chosen = settings.kind === 'choice' || isEveryNamed ? [] : settings.accounts;
		const names = new Set([...chosen.map(({ name }) => name), ...named]);
		// An account that the environment describes has no profile, and is never opened beside others.
		if (named.length === 0 || names.has('environment'))
			return { accounts: requireAccounts(host, settings), words: computerWords };
		const { flag } = args;
		const narrowed = loadSettings(host, { list: () => [...names], flag });
		return { accounts: requireAccounts(host, narrowed), words: computerWords };
	}
	const accounts = requireAccounts(host, settings);
	const outside = computerWords.find(
		({ account }) => account !== undefined && !accounts.some(({ name }) => name === account),
	);
	if (outside) {
		const names = accounts.map(({ name }) => name).join(', ');
		throw new UsageError(
			`${cleanForTerminal(outside.text)} is not in the chosen profiles: ${names}`,
		);
	}
	if (!isEveryNamed) return { accounts, words: computerWords };
	const [first, ...others] = accounts.filter(({ name }) => named.includes(name));
	return { accounts: first ? [first, ...others] : accounts, words: computerWords };
}

function profilesIn(settings: LoadedSettings): readonly ProfileNames[] {
	switch (settings.kind) {
		case 'choice':
			return settings.profiles;
		case 'accounts':
			return settings.profiles;
		default:
			return [];
	}
}

/** The computers of an account that the words name. */
export type NamedComputers = { fleet: Fleet; computers: readonly ComputerState[] };

/**
 * Returns the computers that the words name, by account. Throws if a word matches no computer or several.
 *
 * An account that cannot be read may have a computer with the same name. Then a word without an account is refused,
 * unless `onFailure` decides that the account is left out, or that its computers of an earlier read are searched.
 */
export async function computersOfWords(
	fleets: Fleets,
	words: readonly ComputerWord[],
	onFailure?: (fleet: Fleet, failure: CommandError) => 'kept' | 'left out' | undefined,
): Promise<readonly NamedComputers[]> {
	const [only] = fleets;
	if (fleets.length === 1) {
		const texts = words.map(({ idOrName }) => idOrName);
		const failure = await readForWords(only, words);
		if (failure && onFailure?.(only, failure) !== 'kept') throw failure;
		return [{ fleet: only, computers: computersNamed(only.accountNow(), texts) }];
	}
	const failures = await Promise.all(
		fleets.map(async fleet => {
			const failure = await readForWords(fleet, words);
			if (failure && !onFailure) throw refusalOf(fleets, fleet, words, failure);
			return failure && onFailure?.(fleet, failure) === 'kept' ? undefined : failure;
		}),
	);
	const [firstFailure] = failures;
	if (firstFailure && failures.every(Boolean)) throw firstFailure;
	const readFleets = fleets.filter((_, index) => failures[index] === undefined);
	const found = words.map(word => ({ word, matches: matchesOf(readFleets, word) }));
	const problems = found.flatMap(
		({ word, matches }) => problemText(readFleets, word, matches) ?? [],
	);
	if (problems.length > 0) throw new UsageError(problems.map(cleanForTerminal).join('\n'));
	const matches = found.flatMap(each => each.matches);
	return fleets.flatMap(fleet => {
		const own = matches.filter(each => each.fleet === fleet).map(({ computer }) => computer);
		return own.length === 0 ? [] : [{ fleet, computers: [...new Set(own)] }];
	});
}

type Match = { fleet: Fleet; computer: ComputerState };

const isMeant = (fleet: Fleet, { account }: ComputerWord) =>
	account === undefined || account === fleet.name;

async function readForWords(
	fleet: Fleet,
	words: readonly ComputerWord[],
): Promise<CommandError | undefined> {
	const texts = words.filter(word => isMeant(fleet, word)).map(({ idOrName }) => idOrName);
	if (texts.length === 0) return undefined;
	try {
		await fleet.readOrThrow('list');
		await readComputerNames(fleet, texts);
		return undefined;
	} catch (error) {
		if (error instanceof CommandError && !fleet.signal.aborted) return error;
		throw error;
	}
}

function refusalOf(
	fleets: Fleets,
	failed: Fleet,
	words: readonly ComputerWord[],
	{ kind, message, advice, code }: CommandError,
): CommandError {
	const bare = words.find(({ account }) => account === undefined);
	const other = fleets.find(each => each !== failed);
	const hint = `${failed.name} may have a computer of this name, too. Write the account in front, as in ${other?.name}/${bare?.text}.`;
	return new CommandError(kind, `${failed.name}: ${message}`, bare ? hint : advice, code);
}

function matchesOf(fleets: readonly Fleet[], word: ComputerWord): readonly Match[] {
	return fleets
		.filter(fleet => isMeant(fleet, word))
		.flatMap(fleet =>
			computersMatching(fleet.accountNow(), word.idOrName).map(computer => ({ fleet, computer })),
		);
}

function problemText(
	fleets: readonly Fleet[],
	word: ComputerWord,
	matches: readonly Match[],
): string | undefined {
	if (matches.length === 1) return undefined;
	const meant = fleets.filter(fleet => isMeant(fleet, word));
	if (matches.length === 0) {
		const accounts = meant.map(fleet => fleet.accountNow());
		return noMatchText(accounts, word.idOrName);
	}
	const isNameEnough = new Set(matches.map(({ fleet }) => fleet)).size === matches.length;
	const exact = matches.map(
		({ fleet, computer }) => `${fleet.name}/${isNameEnough ? word.idOrName : computer.id}`,
	);
	return `${word.text} names ${matches.length} computers. Write one of: ${exact.join(', ')}`;
}
