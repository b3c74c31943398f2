import { configFrom } from '../../accounts/config-text.ts';
import { isCountedPhase, phaseOf, type Reading } from '../../fleet/computer.ts';
import { readSnapshot } from '../../journal/snapshot-file.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { journalPath, notesOwnerOf } from '../../session/open-journal.ts';
import { type Command, exitCodes, type ParsedArgs } from '../../shell/command.ts';
import { loadSettings, readConfigText } from '../../shell/load-settings.ts';
import { accountOptions } from '../../shell/options.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';

export const complete: Command = {
	name: 'complete',
	isHidden: true,
	summary: 'print the completions of a word; the scripts of `completion` call this',
	argumentUsage: 'computers|ports|profiles WORD',
	options: accountOptions,
	examples: [],
	async run(host, args) {
		// Errors print nothing, because a message would appear in the middle of the line that the person types
		// in the shell.
		const candidates = await candidatesFor(host, args).catch(() => []);
		const lines = candidates.map(([word, about]) => `${word}\t${cleanForTerminal(about)}\n`);
		host.program.stdout.write(lines.join(''));
		return exitCodes.done;
	},
};

/** A word that the shell offers as a completion, and the description that the shell shows beside the word. */
type Candidate = readonly [word: string, about: string];

async function candidatesFor(host: Host, args: ParsedArgs): Promise<readonly Candidate[]> {
	const [kind, word = ''] = args.positionals;
	switch (kind) {
		case 'computers':
			return computerCandidates(await lastKnownComputers(host, args), word);
		case 'ports':
			return portCandidates(await lastKnownComputers(host, args), word);
		case 'profiles':
			return profileCandidates(host);
		default:
			return [];
	}
}

async function lastKnownComputers(host: Host, args: ParsedArgs): Promise<readonly Reading[]> {
	const settings = loadSettings(host, args);
	if (settings.kind !== 'account') return [];
	const snapshotLocation = { directory: journalPath(host), ...notesOwnerOf(settings.account) };
	const { facts } = await readSnapshot(snapshotLocation);
	return facts
		.flatMap(fact => (fact.type === 'fleetRecalled' ? fact.computers : []))
		.map(({ reading }) => reading)
		.filter(({ status }) => isCountedPhase(phaseOf(status)));
}

// If a computer's name is unique, its id is offered only after the person has typed the beginning of the id.
function computerCandidates(computers: readonly Reading[], word: string): readonly Candidate[] {
	const counts = new Map<string, number>();
	for (const { name } of computers) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
	const ids = new Set(computers.map(({ id }) => id));
	return computers.flatMap(({ id, name, status = '' }): readonly Candidate[] => {
		const hasOwnName = name && counts.get(name) === 1 && isPlainWord(name) && !ids.has(name);
		const nameCandidates: readonly Candidate[] = hasOwnName ? [[name, status]] : [];
		const description = [name, status].filter(Boolean).join(', ');
		const offersId = isPlainWord(id) && (!hasOwnName || (word !== '' && id.startsWith(word)));
		return offersId ? [...nameCandidates, [id, description]] : nameCandidates;
	});
}

/** Returns whether the text can be typed as an argument: options and control characters cannot. */
function isPlainWord(text: string): boolean {
	return !text.startsWith('-') && cleanForTerminal(text) === text;
}

function portCandidates(computers: readonly Reading[], word: string): readonly Candidate[] {
	const matchingComputers = computers.filter(({ id, name }) => id === word || name === word);
	const ports = matchingComputers.length === 1 ? (matchingComputers[0]?.ports ?? []) : [];
	return ports.map(({ port }) => [String(port), 'published']);
}

function profileCandidates(host: Host): readonly Candidate[] {
	const { config } = configFrom(readConfigText(pathsOf(host).configPath) ?? '');
	return [...(config.profiles ?? [])].map(([name, { url = '' }]) => [name, url]);
}
