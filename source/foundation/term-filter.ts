import { type TypingProblem, unknownNameProblem } from './unknown-name.ts';

/** The parts of an item that a filter compares: its text in lower case, and its fields by name. */
export type FilteredParts<T> = {
	textOf: (item: T) => string;
	fields: Readonly<Record<string, (item: T) => readonly (string | number)[]>>;
	/** Fields whose values are not compared as texts or numbers. Each returns the test of a value, or what is wrong with it. */
	tests?: Readonly<Record<string, (value: string) => ((item: T) => boolean) | TypingProblem>>;
};

/** The problem with a filter, and the place of the wrong word in its text. */
export type FilterMistake = TypingProblem & {
	problemAt?: { from: number; to: number } | undefined;
};

type TermFilter<T> = { test: (item: T) => boolean; mistake?: FilterMistake };

/**
 * Parses the filter of a list. An item must match each term, and no term that is written with a `-` before it. A term
 * is a word of the text, or a field with the beginning of a value or a comparison: `who:you price:<1 -kind:stop`.
 */
export function termFilterFrom<T>(text: string, parts: FilteredParts<T>): TermFilter<T> {
	const tests: ((item: T) => boolean)[] = [];
	let mistake: FilterMistake | undefined;
	for (const { from, to } of wordsIn(text)) {
		const term = text.slice(from, to).toLowerCase();
		if (term === '-') continue;
		const parsed = termFrom(term, parts);
		if (typeof parsed === 'function') tests.push(parsed);
		else mistake ??= { ...parsed, problemAt: { from, to } };
	}
	const test = (item: T) => tests.every(matches => matches(item));
	return mistake === undefined ? { test } : { test, mistake };
}

/** Returns the places of the words of a text. */
export const wordsIn = (text: string): readonly { from: number; to: number }[] =>
	[...text.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
		from: index,
		to: index + word.length,
	}));

/** Returns the test of a term, or the problem if the term is wrong. */
function termFrom<T>(
	term: string,
	{ textOf, fields, tests = {} }: FilteredParts<T>,
): ((item: T) => boolean) | TypingProblem {
	const isNegated = term.startsWith('-');
	const word = isNegated ? term.slice(1) : term;
	const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? [];
	const valuesOf = Object.hasOwn(fields, name) ? fields[name] : undefined;
	if (Object.hasOwn(tests, name) && tests[name]) {
		const own = tests[name](value);
		return typeof own !== 'function' || !isNegated ? own : item => !own(item);
	}
	if (name !== '' && !valuesOf)
		return unknownNameProblem('field', name, [...Object.keys(fields), ...Object.keys(tests)]);
	const matches = matcherOf(value);
	const test = valuesOf
		? (item: T) => valuesOf(item).some(matches)
		: (item: T) => textOf(item).includes(word);
	return isNegated ? item => !test(item) : test;
}

const factors: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/** Compares numbers, as in `<1` and `>=128k`, and the beginning of texts. */
function matcherOf(value: string): (each: string | number) => boolean {
	const [, sign = '=', digits, unit = ''] = /^([<>]=?|=)?(\d+(?:\.\d+)?)([km])?$/.exec(value) ?? [];
	const number = digits === undefined ? Number.NaN : Number(digits) * (factors[unit] ?? 1);
	return each => {
		if (typeof each === 'string') return each.toLowerCase().startsWith(value);
		if (sign === '<') return each < number;
		if (sign === '>') return each > number;
		if (sign === '<=') return each <= number;
		return sign === '>=' ? each >= number : each === number;
	};
}
