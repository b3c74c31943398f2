import { configFrom } from '../../accounts/config-text.ts';
import { namesIn } from '../../accounts/setting-values.ts';
import { isCountedPhase, phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import { readSnapshot } from '../../journal/snapshot-file.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
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
	],
	examples: [],
	async run(host, args, commands) {
		const wordBreaks = args.text('bash');
		const isBash = wordBreaks !== undefined;
		const typed = isBash ? typedWords(args.positionals[0] ?? '').slice(1) : args.positionals;
		const expected = expectedWord(commands, isBash ? typed.map(unquoted) : typed);
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

/** Returns whether the text can be typed as an argument and inserted by a shell as it is. */
function isPlainWord(text: string): boolean {
	return text !== '' && cleanText(text) === text;
}

async function candidatesFor(host: Host, expected: ExpectedWord): Promise<readonly Candidate[]> {
	const { sources, positionals, typed } = expected;
	const readsFleet = sources.includes('computers') || sources.includes('ports');
	const computers = readsFleet ? await lastKnownComputers(host, expected) : [];
	return sources.flatMap(source => {
		if (source === 'computers') return computerCandidates(computers, typed);
		if (source === 'ports') return portCandidates(computers, positionals[0]);
		if (source === 'profiles') return profileCandidates(host);
		return source === 'files' ? [] : source;
	});
}

async function lastKnownComputers(
	host: Host,
	{ profile }: ExpectedWord,
): Promise<readonly Reading[]> {
	const settings = loadSettings(host, { list: () => namesIn([profile ?? '']), flag: () => false });
	if (settings.kind !== 'accounts') return [];
	const [account] = settings.accounts;
	const snapshotLocation = { directory: journalPath(host), ...journalOwnerOf(account) };
	const { facts } = await readSnapshot(snapshotLocation);
	return facts
		.flatMap(fact => (fact.type === 'fleetRecalled' ? fact.computers : []))
		.map(({ reading }) => reading)
		.filter(({ status }) => isCountedPhase(phaseOf(status)));
}

// If a computer's name is unique, its id is offered only after the person has typed the beginning of the id.
function computerCandidates(computers: readonly Reading[], typed: string): readonly Candidate[] {
	const counts = new Map<string, number>();
	for (const { name } of computers) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
	const ids = new Set(computers.map(({ id }) => id));
	return computers.flatMap(({ id, name, status = '' }): readonly Candidate[] => {
		const hasOwnName = name && counts.get(name) === 1 && isArgument(name) && !ids.has(name);
		const nameCandidates: readonly Candidate[] = hasOwnName ? [[name, status]] : [];
		const description = [name, status].filter(Boolean).join(', ');
		const offersId = isArgument(id) && (!hasOwnName || (typed !== '' && id.startsWith(typed)));
		return offersId ? [...nameCandidates, [id, description]] : nameCandidates;
	});
}

/** Returns whether the text can stand as an argument: a word with a dash in front would be an option. */
function isArgument(text: string): boolean {
	return !text.startsWith('-') && isPlainWord(text);
}

function portCandidates(computers: readonly Reading[], word = ''): readonly Candidate[] {
	const matchingComputers = computers.filter(({ id, name }) => id === word || name === word);
	const ports = matchingComputers.length === 1 ? (matchingComputers[0]?.ports ?? []) : [];
	return ports.map(({ port }) => [String(port), 'published']);
}

function profileCandidates(host: Host): readonly Candidate[] {
	const { config } = configFrom(readConfigText(pathsOf(host).configPath) ?? '');
	return [...(config.profiles ?? [])].map(([name, { url = '' }]) => [name, url]);
}
