import { memoize } from '../../foundation/memoize.ts';

/** One word of a filter, with its place in the text. */
export type FilterWord = { text: string; from: number; to: number };

/** A word of a filter, taken apart: `-status:error` is negated, and has the field `status` and the value `error`. */
export type FilterTerm = {
	isNegated: boolean;
	/** The name before the colon; undefined in a word without a field. */
	fieldName: string | undefined;
	/** The value after the colon, or the whole word, without quotes. */
	value: string;
};

const wordPattern = /-?\S*"[^"]*"?|\S+/g;

/** Splits a filter into its words, at spaces outside of quotes. Each frame needs the words of the same filter several times. */
export const filterWordsOf = memoize((text: string): readonly FilterWord[] =>
	Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => ({
		text: word,
		from: index,
		to: index + word.length,
	})),
);

/** Returns the source of a pattern that matches this text and nothing else. */
export const escapedPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Escapes a text for a regular expression in which blanks and underscores match each other. */
export const escapedLoosePattern = (text: string) => escapedPattern(text).replace(/[ _]/g, '[ _]');

export const isOrWord = ({ text }: FilterWord) => text === 'OR';

export function filterTermOf({ text }: FilterWord): FilterTerm {
	const isNegated = text.startsWith('-') && text.length > 1;
	const term = isNegated ? text.slice(1) : text;
	const [, fieldName, value] = /^([^:"]+):(.*)$/s.exec(term) ?? [];
	return { isNegated, fieldName, value: (value ?? term).replaceAll('"', '') };
}
