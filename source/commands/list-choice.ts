import { nearestName } from '../accounts/nearest-name.ts';
import { isCounted } from '../fleet/computer.ts';
import { filterFrom } from '../fleet/filter.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import { UsageError } from './command.ts';

/** Says at once what is wrong with a filter, before anything is asked. */
export function filterOf(text: string) {
	const { test, problem } = filterFrom(text);
	if (problem !== undefined) throw new UsageError(`--filter: ${cleanForTerminal(problem)}`);
	return ({ computers }: AccountState, now: number): readonly ComputerState[] =>
		[...computers.values()].filter(each => test(each, now));
}

/** The computers that these ids or names mean: all of them, or none and what is wrong. */
export function computersNamed(
	account: AccountState,
	words: readonly string[],
): readonly ComputerState[] {
	const found = [...new Set(words)].map(word => ({ word, meant: meantBy(account, word) }));
	const problems = found
		.filter(({ meant }) => meant.length !== 1)
		.map(({ word, meant }) => problemWith(account, word, meant));
	if (problems.length > 0) throw new UsageError(problems.map(cleanForTerminal).join('\n'));
	return [...new Set(found.flatMap(({ meant }) => meant))];
}

// What was removed and is kept for records takes no name away from what is there.
function meantBy({ computers }: AccountState, word: string): readonly ComputerState[] {
	const byId = computers.get(word);
	if (byId) return [byId];
	const named = [...computers.values()].filter(({ reading }) => reading.name === word);
	const present = named.filter(({ phase }) => isCounted(phase));
	return present.length > 0 ? present : named;
}

function problemWith(
	{ computers }: AccountState,
	word: string,
	meant: readonly ComputerState[],
): string {
	if (meant.length > 0) {
		const ids = meant.map(({ id }) => id).join(', ');
		return `${word} is the name of ${meant.length} computers; give the id of one: ${ids}`;
	}
	const all = [...computers.values()];
	if (all.length > 0 && !all.some(({ reading }) => reading.name)) {
		return `there is no computer ${word}; the list tells no names: give the id`;
	}
	const names = all.flatMap(({ id, reading }) => [reading.name || id, id]);
	const like = names.filter(name => word.length > 1 && name.startsWith(word));
	const near = like.length > 0 ? [...new Set(like)].slice(0, 5) : [nearestName(word, names) ?? ''];
	const hint = near.filter(Boolean).join(', ');
	return `there is no computer ${word}${hint ? `; is it ${hint}?` : ''}`;
}
