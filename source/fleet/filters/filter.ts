import { type TypingProblem, unknownNameProblem } from '../../foundation/nearest-name.ts';
import { type Field, type FilterTable, fieldNameIn, type ValueTest } from './field.ts';
import { containsTest, valueTestOf } from './value-test.ts';

export type FilterWord = {
	text: string;
	from: number;
	to: number;
	isNegated: boolean;
	fieldName: string | undefined;
	value: string;
};

export type Term<T> = {
	word: FilterWord;
	tests: readonly { field: Field<T>; matches: ValueTest }[];
};

export type FilterMistake = TypingProblem & {
	problemAt?: { from: number; to: number } | undefined;
	/** Some item may have the value later. */
	isUnknownValue?: boolean;
};

/** If the text is wrong or only half typed, the terms that are correct apply. */
export type Filter<T> = {
	test: (item: T, now: number) => boolean;
	/** A negated term is not among them. */
	termsIn: (item: T, now: number) => readonly Term<T>[];
	isUnread: (item: T) => boolean;
	mistake?: FilterMistake;
};

/**
 * `status:stopped version:<1.4 OR -name:test`: all terms of a group must match.
 *
 * A value that is not possible is a mistake unless one of `items` has it. With `items`, its term then does not apply.
 */
export function filterFrom<T>(
	text: string,
	table: FilterTable<T>,
	items?: Iterable<NoInfer<T>>,
): Filter<T> {
	const words = filterWordsIn(text);
	const groups: Term<T>[][] = [[]];
	let mistake: FilterMistake | undefined;
	for (const word of words) {
		if (isOr(word)) {
			groups.push([]);
			continue;
		}
		const term = termFrom(word, table);
		const problem = isTerm(term) ? unknownValueIn(term, table, items) : term;
		if (problem) mistake ??= { ...problem, problemAt: placeOf(word) };
		if (isTerm(term) && !(problem && items)) groups.at(-1)?.push(term);
	}
	const filled = groups.filter(group => group.length > 0);
	const or = words.find(isOr);
	if (or && filled.length < groups.length)
		mistake ??= { problem: 'OR needs a term on both sides', problemAt: placeOf(or) };
	const matchesGroup = (group: readonly Term<T>[], item: T, now: number) =>
		group.every(term => isMet(term, item, now));
	const terms = filled.flat();
	return {
		test: (item, now) =>
			filled.length === 0 || filled.some(group => matchesGroup(group, item, now)),
		termsIn: (item, now) =>
			filled
				.filter(group => matchesGroup(group, item, now))
				.flatMap(group => group.filter(({ word }) => !word.isNegated)),
		isUnread: item => terms.some(term => looksAtUnread(term, item)),
		mistake,
	};
}

const placeOf = ({ from, to }: FilterWord) => ({ from, to });

export const isOr = ({ text }: FilterWord) => text === 'OR';

export const filterWordsIn = (text: string): readonly FilterWord[] =>
	Array.from(text.matchAll(/-?\S*"[^"]*"?|\S+/g), ({ 0: word, index }) => filterWord(word, index));

export function filterWord(text: string, from: number): FilterWord {
	const isNegated = text.startsWith('-') && text.length > 1;
	const term = isNegated ? text.slice(1) : text;
	const [, fieldName, value = term] = /^([^:"]+):(.*)$/s.exec(term) ?? [];
	return {
		text,
		from,
		to: from + text.length,
		isNegated,
		fieldName,
		value: value.replaceAll('"', ''),
	};
}

export const isTerm = <T>(term: Term<T> | TypingProblem): term is Term<T> => 'tests' in term;

export function termFrom<T>(
	word: FilterWord,
	{ fields, searched }: FilterTable<T>,
): Term<T> | TypingProblem {
	const { fieldName, value } = word;
	if (fieldName === undefined)
		return { word, tests: searched.map(field => ({ field, matches: containsTest(field, value) })) };
	const field = fields[fieldNameIn(fields, fieldName) ?? ''];
	if (!field) return unknownNameProblem('field', fieldName, Object.keys(fields));
	const matches = valueTestOf(field, value);
	if (typeof matches === 'string') return { problem: `${fieldName} ${matches}` };
	return { word, tests: [{ field, matches }] };
}

function unknownValueIn<T>(
	{ word, tests: [only] }: Term<T>,
	{ fields }: FilterTable<T>,
	items: Iterable<T> = [],
): FilterMistake | undefined {
	const name = word.fieldName === undefined ? undefined : fieldNameIn(fields, word.fieldName);
	const possible = only?.field.possibleValues;
	if (name === undefined || !only || !possible || possible.some(only.matches)) return undefined;
	for (const item of items) if (only.field.values(item, 0).some(only.matches)) return undefined;
	const problem = unknownNameProblem(name, word.value.replace(/^=/, ''), possible);
	return { ...problem, isUnknownValue: true };
}

/** Nobody knows whether an item lacks what was not read yet, so it does not match. */
function isMet<T>({ word, tests }: Term<T>, item: T, now: number): boolean {
	const isFound = tests.some(({ field, matches }) => field.values(item, now).some(matches));
	if (!word.isNegated) return isFound;
	const isUnread = word.fieldName !== undefined && tests[0]?.field.isUnread?.(item);
	return !isFound && !isUnread;
}

/** A word is searched in a version as well, but it seldom means one that was not read yet. */
const looksAtUnread = <T>({ word, tests }: Term<T>, item: T): boolean =>
	tests.some(
		({ field }) =>
			field.isUnread?.(item) && (word.fieldName !== undefined || field.kind === 'text'),
	);
