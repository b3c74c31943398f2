import { isCounted, type Reading } from '../fleet/computer.ts';
import { type FieldName, fieldFrom } from '../fleet/field.ts';
import { type FilterTest, filterFrom, isStatusAmong } from '../fleet/filter.ts';
import { nearestName } from '../fleet/nearest-name.ts';
import { UsageError } from '../shell/errors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/escape-sequences.ts';

export type ComputerFilter = {
	/** What the platform must have told, so that it is the right one. */
	fields: readonly (keyof Reading)[];
	test: FilterTest;
	select: (account: AccountState, now: number) => readonly ComputerState[];
};

/** Says at once what is wrong with a filter, before anything is asked. */
export function filterFromOption(text: string): ComputerFilter {
	const { test, problem = '', unknownStatus } = filterFrom(text);
	const refusal = new UsageError(`--filter: ${cleanForTerminal(problem)}`);
	if (problem !== '' && unknownStatus === undefined) throw refusal;
	return {
		fields: fieldsIn(text),
		test,
		select({ computers }, now) {
			// A platform may have words of its own, which only its answer tells.
			const isKnown =
				unknownStatus === undefined || isStatusAmong(computers.values())(unknownStatus);
			if (!isKnown) throw refusal;
			return [...computers.values()].filter(each => test(each, now));
		},
	};
}

// The status and its stage are asked for apart, and without a time of its start a computer is still up.
const readingFieldOf: Readonly<Partial<Record<FieldName, keyof Reading>>> = {
	name: 'name',
	address: 'address',
	version: 'version',
	cpu: 'cpu',
	memory: 'memory',
	storage: 'storage',
	port: 'ports',
	age: 'createdAt',
};

function fieldsIn(text: string): readonly (keyof Reading)[] {
	const words = text.split(/\s+/).filter(word => word !== '' && word !== 'OR');
	const reads = words.map(word => {
		const [, name = ''] = /^-?([^:"]+):/.exec(word) ?? [];
		const field = fieldFrom(name);
		return name === '' ? 'name' : field && readingFieldOf[field];
	});
	return [...new Set(reads.filter(read => read !== undefined))];
}

/** The computers that these ids or names mean: all of them, or none and what is wrong. */
export function computersNamed(
	account: AccountState,
	words: readonly string[],
): readonly ComputerState[] {
	const found = [...new Set(words)].map(word => ({ word, meant: computersMeantBy(account, word) }));
	const problems = found
		.filter(({ meant }) => meant.length !== 1)
		.map(({ word, meant }) => problemWith(account, word, meant));
	if (problems.length > 0) throw new UsageError(problems.map(cleanForTerminal).join('\n'));
	return [...new Set(found.flatMap(({ meant }) => meant))];
}

// An id that is also the name of another computer is ambiguous, as two equal names are: a command that
// deletes must not guess. What was removed and is kept for records takes no name away from what is there.
function computersMeantBy({ computers }: AccountState, word: string): readonly ComputerState[] {
	const named = [...computers.values()].filter(
		({ id, reading }) => id === word || reading.name === word,
	);
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
		const own = computers.get(word);
		if (own && meant.includes(own)) {
			const others = meant.filter(each => each !== own).map(({ id }) => id);
			const name = own.reading.name ? ` (${own.reading.name})` : '';
			return `${word} is the id of one computer${name} and the name of another; for the other, give its id: ${others.join(', ')}`;
		}
		return `${word} is the name of ${meant.length} computers; give the id of one: ${ids}`;
	}
	const names = [...computers.values()].flatMap(({ id, reading }) => [reading.name || id, id]);
	const like = names.filter(name => word.length > 1 && name.startsWith(word));
	const near = like.length > 0 ? [...new Set(like)].slice(0, 5) : [nearestName(word, names) ?? ''];
	const hint = near.filter(Boolean).join(', ');
	return `there is no computer ${word}${hint ? `; is it ${hint}?` : ''}`;
}
