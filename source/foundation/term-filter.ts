import { nearestName } from './nearest-name.ts';

/** What a filter looks at in each item: its text in lower case, and its fields by name. */
export type FilteredParts<T> = {
	textOf: (item: T) => string;
	fields: Readonly<Record<string, (item: T) => readonly (string | number)[]>>;
};

type TermFilter<T> = { test: (item: T) => boolean; problem?: string };

/**
 * Parses the filter of a list. An item must match each term, and no term that is written with a `-` before it. A term
 * is a word of the text, or a field with the beginning of a value or a comparison: `who:you price:<1 -kind:stop`.
 */
export function termFilterFrom<T>(text: string, parts: FilteredParts<T>): TermFilter<T> {
	const terms = text
		.toLowerCase()
		.split(/\s+/)
		.filter(term => term.replace(/^-/, '') !== '');
	const parsed = terms.map(term => termFrom(term, parts));
	const tests = parsed.flatMap(each => (typeof each === 'string' ? [] : [each]));
	const problem = parsed.find(each => typeof each === 'string');
	const test = (item: T) => tests.every(matches => matches(item));
	return problem === undefined ? { test } : { test, problem };
}

/** Returns the test of a term, or the problem with it. */
function termFrom<T>(
	term: string,
	{ textOf, fields }: FilteredParts<T>,
): ((item: T) => boolean) | string {
	const isNegated = term.startsWith('-');
	const word = isNegated ? term.slice(1) : term;
	const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? [];
	const valuesOf = Object.hasOwn(fields, name) ? fields[name] : undefined;
	if (name !== '' && !valuesOf) return unknownFieldText(name, Object.keys(fields));
	const matches = matcherOf(value);
	const test = valuesOf
		? (item: T) => valuesOf(item).some(matches)
		: (item: T) => textOf(item).includes(word);
	return isNegated ? item => !test(item) : test;
}

function unknownFieldText(name: string, names: readonly string[]): string {
	const nearest = nearestName(name, names);
	const hint = nearest === undefined ? `Known: ${names.join(', ')}` : `Did you mean ${nearest}?`;
	return `No field “${name}”. ${hint}`;
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
