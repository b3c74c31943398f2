import { isCountedPhase, type ReadingField } from '../fleet/computers/computer.ts';
import {
	computerNameFilter,
	type FieldSource,
	fieldNameFrom,
	fields,
} from '../fleet/computers/field.ts';
import type { OrderField } from '../fleet/computers/order-fields.ts';
import { type Filter, filterFrom, filterWordsIn, isOr } from '../fleet/filters/filter.ts';
import { UsageError } from '../foundation/error.ts';
import { nearestName } from '../foundation/nearest-name.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';

export type ComputerFilter = {
	/** The fields that must be read before the test can be applied. */
	requiredFields: readonly ReadingField[];
	/** Whether the reasons of errors decide which computers match. */
	needsReasons: boolean;
	test: Filter<FieldSource>['test'];
	/** Throws if the filter names a status that no computer of these accounts has. */
	refuseUnknownStatus: (accounts: readonly AccountState[]) => void;
	select: (account: AccountState, now: number) => readonly ComputerState[];
};

/**
 * Creates a filter from the value of --filter. Throws before any request is sent if the text is not a valid
 * filter.
 */
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

/** Returns the values that a command reads for these fields of the filter, where the list does not have them. */
export const readingFieldsOf = (
	names: readonly (OrderField | undefined)[],
): readonly ReadingField[] => [
	...new Set(
		names.flatMap(name =>
			name === undefined || name === 'trouble' ? [] : (fields[name].needs ?? []),
		),
	),
];

/**
 * Returns the computers with these ids or names. Throws if a word matches no computer or several computers.
 */
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
export function computersMatching(
	{ computers }: AccountState,
	word: string,
): readonly ComputerState[] {
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

/** Says that no computer has this id or name, and suggests similar names. */
export function noMatchText(accounts: readonly AccountState[], word: string): string {
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
