import type { AccountSettings, LoadedSettings } from '../../accounts/account-settings.ts';
import { configFrom } from '../../accounts/config-text.ts';
import { isCountedPhase, phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import { readSnapshot } from '../../journal/snapshot-file.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { computerWordsFrom } from '../../script/computer-words.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { journalOwnerOf, journalPath } from '../../session/open-journal.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { loadSettings, readConfigText } from '../../shell/load-settings.ts';
import {
	bashCompletion,
	type Candidate,
	type ExpectedWord,
	expectedWord,
	typedWords,
	unquoted,
} from '../completion/expected-word.ts';
import { filterCandidates } from '../completion/filter-words.ts';

export const complete: Command = {
	name: 'complete',
	isHidden: true,
	summary: 'print the completions of the last word; the scripts of `completion` call this',
	argumentUsage: 'WORD…',
	options: [
		{
			name: 'bash',
			valueName: 'BREAKS',
			help: 'the argument is a line of bash, which divides words at these characters',
		},
		{ name: 'rest', valueName: 'LINE', help: 'the line after the cursor' },
	],
	examples: [],
	async run(host, args, commands) {
		const wordBreaks = args.text('bash');
		const isBash = wordBreaks !== undefined;
		const typed = isBash ? typedWords(args.positionals[0] ?? '').slice(1) : args.positionals;
		const words = isBash ? typed.map(unquoted) : typed;
		const expected = expectedWord(commands, words, laterWordsIn(args.text('rest') ?? ''));
		if (expected.sources.includes('files')) return exitCodes.failed;
		// Errors print nothing, because a message would appear in the middle of the line that the person types.
		const candidates = (await candidatesFor(host, expected).catch(() => []))
			.filter(([word]) => isPlainWord(word))
			.map(([word, description]): Candidate => [expected.prefix + word, description]);
		const lines = isBash
			? candidates.flatMap(([word]) => bashCompletion(word, typed.at(-1) ?? '', wordBreaks) ?? [])
			: candidates.map(([word, description]) => `${word}\t${cleanText(description)}`);
		host.program.stdout.write(lines.map(line => `${line}\n`).join(''));
		return exitCodes.done;
	},
};

/** Returns the words after the cursor, without the rest of the word at the cursor. */
function laterWordsIn(rest: string): readonly string[] {
	return typedWords(rest.replace(/^\S+/, ''))
		.map(unquoted)
		.filter(word => word !== '');
}

/** Returns whether the text can be typed as an argument and inserted by a shell as it is. */
function isPlainWord(text: string): boolean {
	return text !== '' && cleanText(text) === text;
}

async function candidatesFor(host: Host, expected: ExpectedWord): Promise<readonly Candidate[]> {
	const { sources, positionals, typed } = expected;
	const [word = ''] = sources.includes('ports') ? positionals : [typed];
	const readsFleet = sources.some(
		each => each === 'computers' || each === 'ports' || each === 'filter',
	);
	const named = sources.includes('filter') ? '' : word;
	const fleets = readsFleet ? await lastKnownFleets(host, expected, named) : [];
	return sources.flatMap(source => {
		if (source === 'computers') return fleets.flatMap(fleet => computerCandidates(fleet, typed));
		if (source === 'ports') return fleets.flatMap(fleet => portCandidates(fleet, word));
		if (source === 'profiles') return profileCandidates(host, expected);
		if (source === 'filter') {
			const computers = fleets.flatMap(fleet => fleet.computers);
			const profiles = profileCandidates(host, { profiles: [] }).map(([name]) => name);
			return filterCandidates(typed, computers, profiles);
		}
		return source === 'files' ? [] : source;
	});
}

/** The last known computers of an account, and the account in front of each, such as `lab/`. */
type KnownFleet = { prefix: string; computers: readonly Reading[] };

async function lastKnownFleets(
	host: Host,
	{ profiles, isForAllProfiles }: ExpectedWord,
	word: string,
): Promise<readonly KnownFleet[]> {
	const settingsWith = (names: readonly string[], isForAll = false) =>
		loadSettings(host, {
			list: () => names,
			flag: name => isForAll && name === 'all-profiles',
		});
	const settings = settingsWith(profiles, isForAllProfiles);
	if (settings.kind !== 'accounts' && settings.kind !== 'choice') return [];
	const [{ account: named } = {}] = computerWordsFrom([word], settings.profiles);
	if (named !== undefined) {
		const prefix = word.slice(0, word.indexOf('/') + 1);
		return Promise.all(
			accountsIn(settingsWith([named])).map(each => knownFleet(host, each, prefix)),
		);
	}
	const accounts =
		settings.kind === 'accounts'
			? settings.accounts
			: settings.profiles.flatMap(({ name }) => accountsIn(settingsWith([name])));
	const isOne = settings.kind === 'accounts' && accounts.length === 1;
	return Promise.all(
		accounts.map(account => knownFleet(host, account, isOne ? '' : `${account.name}/`)),
	);
}

const accountsIn = (settings: LoadedSettings): readonly AccountSettings[] =>
	settings.kind === 'accounts' ? settings.accounts : [];

async function knownFleet(
	host: Host,
	account: AccountSettings,
	prefix: string,
): Promise<KnownFleet> {
	const snapshotLocation = { directory: journalPath(host), ...journalOwnerOf(account) };
	const { facts } = await readSnapshot(snapshotLocation);
	const computers = facts
		.flatMap(fact => (fact.type === 'fleetRecalled' ? fact.computers : []))
		.map(({ reading }) => reading)
		.filter(({ status }) => isCountedPhase(phaseOf(status)));
	return { prefix, computers };
}

// If a computer's name is unique, its id is offered only after the person has typed the beginning of the id.
function computerCandidates(
	{ prefix, computers }: KnownFleet,
	typed: string,
): readonly Candidate[] {
	const counts = new Map<string, number>();
	for (const { name } of computers) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
	const ids = new Set(computers.map(({ id }) => id));
	const typedId = typed.startsWith(prefix) ? typed.slice(prefix.length) : '';
	return computers.flatMap(({ id, name, status = '' }): readonly Candidate[] => {
		const hasOwnName =
			name && counts.get(name) === 1 && isArgument(prefix + name) && !ids.has(name);
		const nameCandidates: readonly Candidate[] = hasOwnName ? [[prefix + name, status]] : [];
		const description = [name, status].filter(Boolean).join(', ');
		const offersId =
			isArgument(prefix + id) && (!hasOwnName || (typedId !== '' && id.startsWith(typedId)));
		return offersId ? [...nameCandidates, [prefix + id, description]] : nameCandidates;
	});
}

/** Returns whether the text can stand as an argument: a word with a dash in front would be an option. */
function isArgument(text: string): boolean {
	return !text.startsWith('-') && isPlainWord(text);
}

function portCandidates({ prefix, computers }: KnownFleet, word: string): readonly Candidate[] {
	const matchingComputers = computers.filter(({ id, name }) =>
		[id, name].some(each => each !== undefined && prefix + each === word),
	);
	const ports = matchingComputers.length === 1 ? (matchingComputers[0]?.ports ?? []) : [];
	return ports.map(({ port }) => [String(port), 'published']);
}

/** Returns the profiles that the command line does not name yet. */
function profileCandidates(
	host: Host,
	{ profiles }: Pick<ExpectedWord, 'profiles'>,
): readonly Candidate[] {
	const { config } = configFrom(readConfigText(pathsOf(host).configPath) ?? '');
	return [...(config.profiles ?? [])]
		.filter(([name]) => !profiles.includes(name))
		.map(([name, { url = '' }]) => [name, url]);
}
