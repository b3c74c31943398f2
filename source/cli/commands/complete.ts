import { configFrom } from '../../accounts/config-text.ts';
import { isCounted, phaseOf, type Reading } from '../../fleet/computer.ts';
import { readSnapshot } from '../../journal/snapshot-file.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { journalPath, ownerOf } from '../../session/open-journal.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { loadSettings, readConfigText } from '../../shell/load-settings.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';

/** What may stand in a place of the command line, with a word about it. */
type Candidate = readonly [word: string, about: string];

/**
 * Prints what may stand there, a line each, from what lies on disk: for the shell's line, in which no
 * error may ever be seen.
 */
export const complete: Run = async (host, args) => {
	const candidates = await candidatesFor(host, args).catch(() => []);
	const lines = candidates.map(([word, about]) => `${word}\t${cleanForTerminal(about)}\n`);
	host.program.stdout.write(lines.join(''));
	return exitCodes.done;
};

async function candidatesFor(host: Host, args: ParsedArgs): Promise<readonly Candidate[]> {
	const [what, word = ''] = args.rest;
	switch (what) {
		case 'computers':
			return computerCandidates(await knownComputers(host, args), word);
		case 'ports':
			return portCandidates(await knownComputers(host, args), word);
		case 'profiles':
			return profileCandidates(host);
		default:
			return [];
	}
}

async function knownComputers(host: Host, args: ParsedArgs): Promise<readonly Reading[]> {
	const settings = loadSettings(host, args);
	if (settings.kind !== 'account') return [];
	const place = { directory: journalPath(host), ...ownerOf(settings.account) };
	const { facts } = await readSnapshot(place);
	return facts
		.flatMap(fact => (fact.type === 'fleetRecalled' ? fact.computers : []))
		.map(({ reading }) => reading)
		.filter(({ status }) => isCounted(phaseOf(status)));
}

// The id of what has a name of its own is only offered to whoever has begun to type it.
function computerCandidates(computers: readonly Reading[], word: string): readonly Candidate[] {
	const counts = new Map<string, number>();
	for (const { name } of computers) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
	const ids = new Set(computers.map(({ id }) => id));
	return computers.flatMap(({ id, name, status = '' }): readonly Candidate[] => {
		const isNamed = name && counts.get(name) === 1 && isWord(name) && !ids.has(name);
		const byName: readonly Candidate[] = isNamed ? [[name, status]] : [];
		const about = [name, status].filter(Boolean).join(', ');
		const isWanted = isWord(id) && (!isNamed || (word !== '' && id.startsWith(word)));
		return isWanted ? [...byName, [id, about]] : byName;
	});
}

// What looks like an option would be taken for one.
function isWord(text: string): boolean {
	return !text.startsWith('-') && cleanForTerminal(text) === text;
}

function portCandidates(computers: readonly Reading[], word: string): readonly Candidate[] {
	const meant = computers.filter(({ id, name }) => id === word || name === word);
	const ports = meant.length === 1 ? (meant[0]?.ports ?? []) : [];
	return ports.map(({ port }) => [String(port), 'published']);
}

function profileCandidates(host: Host): readonly Candidate[] {
	const { config } = configFrom(readConfigText(pathsOf(host).configPath) ?? '');
	return [...(config.profiles ?? [])].map(([name, { url = '' }]) => [name, url]);
}
