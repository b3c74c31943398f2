import type { Field, FieldValue } from './field.ts';
import type { Term } from './filter.ts';

type MatchedPlace = { from: number; to: number };

type Cell<T> = {
	text: string;
	field: Field<T>;
	values: readonly FieldValue[];
};

/** A term that compares values, such as `cpu:>80`, matches the whole value. */
export function matchedPlaces<T>(
	terms: readonly Term<T>[],
	cell: Cell<T>,
): readonly MatchedPlace[] {
	const places = terms.flatMap(term => placesOfTerm(term, cell));
	places.sort((a, b) => a.from - b.from || b.to - a.to);
	let end = 0;
	return places.flatMap(({ from, to }) => {
		const place = { from: Math.max(from, end), to };
		end = Math.max(end, to);
		return place.from < to ? [place] : [];
	});
}

function placesOfTerm<T>(
	{ word, tests }: Term<T>,
	{ text, field, values }: Cell<T>,
): readonly MatchedPlace[] {
	const test = tests.find(each => each.field === field);
	if (!test || !values.some(test.matches)) return [];
	const { kind, possibleValues } = field;
	// A field with a fixed set of words shows a sign before its word.
	const isLiteral = kind === 'text' && possibleValues === undefined;
	const whole = isLiteral ? { from: 0, to: text.length } : placeOfValue(text);
	const isNamed = word.fieldName !== undefined;
	const typed = isNamed ? word.value.replace(/^=/, '') : word.value;
	const isComparison = isNamed && /^[<>]|\.\./.test(typed);
	const found = isComparison || typed === '' ? [] : placesOf(patternOf(typed, field, isNamed));
	const isShownWhole = !isLiteral && values.length <= (possibleValues ? 2 : 1);
	return found.length === 0 && isShownWhole && whole.from < whole.to ? [whole] : found;

	function placesOf(pattern: RegExp): readonly MatchedPlace[] {
		return Array.from(text.slice(whole.from, whole.to).matchAll(pattern), ({ 0: part, index }) => ({
			from: whole.from + index,
			to: whole.from + index + part.length,
		}));
	}
}

function patternOf<T>(
	typed: string,
	{ kind, showsUnderscoresAsBlanks }: Field<T>,
	isNamed: boolean,
) {
	const escaped = typed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
	const source = showsUnderscoresAsBlanks ? escaped.replace(/[ _]/g, '[ _]') : escaped;
	return new RegExp(isNamed && kind !== 'text' ? `(?<![\\w.])${source}(?!\\w)` : source, 'gi');
}

/** `Error` in `✖ Error`, and `82%` in `▲82%`. */
function placeOfValue(text: string): MatchedPlace {
	// Without Unicode, the sign of a status may be a single letter.
	const found = /(?!\p{L} )[\p{L}\p{N}](?:.*[\p{L}\p{N}%])?/u.exec(text);
	return found ? { from: found.index, to: found.index + found[0].length } : { from: 0, to: 0 };
}
