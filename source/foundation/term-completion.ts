import { memoize } from './memoize.ts';
import { nearestName } from './nearest-name.ts';
import { type FilteredParts, wordsIn } from './term-filter.ts';

//  typed       completions
//  w           who:
//  who:        who:you who:platform who:norma@example.com
//  fail        kind:failure

/** A text that can replace the word at the caret of a filter. */
export type Completion = {
	/** The word with this completion, such as `status:error`. */
	word: string;
	/** How many items the filter would leave; undefined if that is not counted. */
	count: number | undefined;
};

/** The place of the word at the caret, and what can replace it. */
export type CompletedWord = { from: number; to: number; completions: readonly Completion[] };

const maxCompletions = 9;

/** Creates a function that completes the word at the caret of a filter with the values that the items have. */
export function createTermCompleter<T>(
	items: readonly T[],
	{ fields, tests = {} }: FilteredParts<T>,
) {
	const names = [...Object.keys(fields), ...Object.keys(tests)];
	const valuesOf = memoize(() => new Map(names.map(name => [name, textsOf(items, fields[name])])));

	return ({ text, caret }: { text: string; caret: number }): CompletedWord => {
		const place = wordsIn(text).find(({ from, to }) => from < caret && caret <= to);
		const { from, to } = place ?? { from: caret, to: caret };
		const [, sign = '', typed = ''] =
			/^(-?)(.*)$/.exec(text.slice(from, caret).toLowerCase()) ?? [];
		const words = wordsFor(typed, names, name => valuesOf().get(name) ?? []);
		const completions = words
			.slice(0, maxCompletions)
			.map(word => ({ word: `${sign}${word}`, count: undefined }));
		return { from, to, completions };
	};
}

/** Returns the different texts of a field, the most frequent first. Numbers are left out: there are too many of them. */
function textsOf<T>(
	items: readonly T[],
	valuesOf: ((item: T) => readonly (string | number)[]) | undefined,
): readonly string[] {
	const counts = new Map<string, number>();
	for (const value of items.flatMap(item => valuesOf?.(item) ?? []))
		if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}

/**
 * Returns the fields or the terms that complete a typed word. For an unknown field, returns the most similar field.
 */
function wordsFor(
	typed: string,
	names: readonly string[],
	valuesOf: (name: string) => readonly string[],
): readonly string[] {
	const [, field, value = ''] = /^([a-z]+):(.*)$/.exec(typed) ?? [];
	if (field === undefined) {
		const started = names.filter(name => name.startsWith(typed)).map(name => `${name}:`);
		const terms = names.flatMap(name => termsWith(name, valuesOf(name), typed));
		return typed.length < 2 ? started : [...started, ...terms];
	}
	if (names.includes(field)) return termsWith(field, valuesOf(field), value);
	const nearest = nearestName(field, names);
	return nearest === undefined ? [] : [`${nearest}:${value}`];
}

/** Returns the terms of a field whose value contains the text. A value with a blank cannot be a term. */
const termsWith = (name: string, values: readonly string[], text: string) =>
	values
		.filter(value => value.toLowerCase().includes(text) && !/\s/.test(value))
		.map(value => `${name}:${value.toLowerCase()}`);
