import { type FieldName, fieldNameFrom, fields } from './field.ts';
import { searchedFields, valueTestOf } from './filter.ts';
import { escapedLoosePattern, escapedPattern, type FilterTerm } from './filter-words.ts';

/** A part of a text, from its first character to before its last. */
export type MatchedPlace = { from: number; to: number };

type Cell = {
	/** The text that the screen shows for the field. */
	text: string;
	field: FieldName;
	/** The values of the field. The text shows them, but may write them in another way. */
	values: readonly (string | number)[];
};

/**
 * Returns the parts of a cell that the terms of a filter matched, in their order and without overlaps. A term that
 * compares values, such as `cpu:>80`, matches the whole value.
 */
export function matchedPlaces(terms: readonly FilterTerm[], cell: Cell): readonly MatchedPlace[] {
	const places = terms.flatMap(term => placesOfTerm(term, cell));
	places.sort((a, b) => a.from - b.from || b.to - a.to);
	let end = 0;
	return places.flatMap(({ from, to }) => {
		const place = { from: Math.max(from, end), to };
		end = Math.max(end, to);
		return place.from < to ? [place] : [];
	});
}

function placesOfTerm(term: FilterTerm, cell: Cell): readonly MatchedPlace[] {
	const { text, field, values } = cell;
	if (!isMatch(term, field, values)) return [];
	const { kind, possibleValues } = fields[field];
	// A field with a fixed set of words shows a sign before its word, and the word may differ from that of the
	// platform.
	const isLiteral = kind === 'text' && possibleValues === undefined;
	const whole = isLiteral ? { from: 0, to: text.length } : placeOfValue(text);
	const isComparison = term.fieldName !== undefined && /^[<>]|\.\./.test(term.value);
	const typed = term.fieldName === undefined ? term.value : term.value.replace(/^=/, '');
	const isWholeWord = term.fieldName !== undefined && kind !== 'text';
	const source = patternSourceOf(typed, field);
	const pattern = new RegExp(isWholeWord ? `(?<![\\w.])${source}(?!\\w)` : source, 'gi');
	const found = isComparison || typed === '' ? [] : placesOf(pattern, text, whole);
	const isShownWhole = !isLiteral && values.length <= (possibleValues ? 2 : 1);
	return found.length === 0 && isShownWhole && whole.from < whole.to ? [whole] : found;
}

function isMatch({ fieldName, value }: FilterTerm, field: FieldName, values: Cell['values']) {
	if (fieldName === undefined) {
		const source = patternSourceOf(value, field);
		const pattern = new RegExp(source, 'i');
		return searchedFields.includes(field) && values.some(each => pattern.test(String(each)));
	}
	if (fieldNameFrom(fieldName) !== field) return false;
	const test = valueTestOf(field, value);
	return typeof test === 'function' && values.some(test);
}

const patternSourceOf = (typed: string, field: FieldName) =>
	fields[field].showsUnderscoresAsBlanks ? escapedLoosePattern(typed) : escapedPattern(typed);

/** Returns the place of the value without the signs around it: `Error` in `✖ Error`, and `82%` in `▲82%`. */
function placeOfValue(text: string): MatchedPlace {
	// Without Unicode, the sign of a status may be a single letter.
	const found = /(?!\p{L} )[\p{L}\p{N}](?:.*[\p{L}\p{N}%])?/u.exec(text);
	return found ? { from: found.index, to: found.index + found[0].length } : { from: 0, to: 0 };
}

function placesOf(pattern: RegExp, text: string, within: MatchedPlace): readonly MatchedPlace[] {
	const searched = text.slice(within.from, within.to);
	return Array.from(searched.matchAll(pattern), ({ 0: found, index }) => ({
		from: within.from + index,
		to: within.from + index + found.length,
	}));
}
