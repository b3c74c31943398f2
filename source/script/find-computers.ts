import { isCountedPhase } from '../fleet/computers/computer.ts';
import { CommandError, UsageError } from '../foundation/error.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { readComputerNames } from './complete-readings.ts';
import type { ComputerWord } from './computer-words.ts';
import type { Fleet, Fleets } from './fleet.ts';

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
