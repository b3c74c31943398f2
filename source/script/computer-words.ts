import type {
	AccountSettings,
	ChosenAccounts,
	LoadedSettings,
} from '../accounts/account-settings.ts';
import { UsageError } from '../foundation/error.ts';
import type { Host } from '../session/host.ts';
import { loadSettings, requireAccounts, severalProfilesText } from '../session/settings.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { ParsedArgs } from './command.ts';

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
