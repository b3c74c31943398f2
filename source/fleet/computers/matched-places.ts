import { type FieldName, fieldNameFrom, fields } from './field.ts';
import { searchedFields, valueTestOf } from './filter.ts';
import type { ValueTest } from './filter-values.ts';
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
	const [only, another] = terms;
	if (only !== undefined && another === undefined) return placesOfTerm(only, cell);
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
	const comparison = comparisonWith(term, field);
	if (comparison === undefined || !values.some(comparison.test)) return [];
	const { kind, possibleValues } = fields[field];
	// A field with a fixed set of words shows a sign before its word, and the word may differ from that of the
	// platform.
	const isLiteral = kind === 'text' && possibleValues === undefined;
	if (isLiteral) return placesWithin(term, cell, comparison, true);
	// Many rows show the same words of such a field.
	const key = `${text}\n${values.join('\n')}`;
	let places = comparison.places.get(key);
	if (places === undefined) {
		places = placesWithin(term, cell, comparison, false);
		if (comparison.places.size < maxKeptPlaces) comparison.places.set(key, places);
	}
	return places;
}

/** A table shows fewer different texts of a field than this. */
const maxKeptPlaces = 200;

/** Returns the places in a cell that a term matches. A text is literal if it shows the value and nothing else. */
function placesWithin(
	term: FilterTerm,
	{ text, field, values }: Cell,
	{ typed, pattern }: Comparison,
	isLiteral: boolean,
): readonly MatchedPlace[] {
	const { possibleValues } = fields[field];
	const whole = isLiteral ? { from: 0, to: text.length } : placeOfValue(text);
	const isComparison = term.fieldName !== undefined && /^[<>]|\.\./.test(term.value);
	const found = isComparison || typed === '' ? [] : placesOf(pattern, text, whole);
	const isShownWhole = !isLiteral && values.length <= (possibleValues ? 2 : 1);
	return found.length === 0 && isShownWhole && whole.from < whole.to ? [whole] : found;
}

/** How a term is compared with a field. */
type Comparison = {
	test: ValueTest;
	/** The text to be found in what the screen shows. */
	typed: string;
	pattern: RegExp;
	/** The places that were found, by the text of the cell and the values of the field. */
	places: Map<string, readonly MatchedPlace[]>;
};

/** The comparisons of each term. A term is compared with every row of the screen. */
const comparisons = new WeakMap<FilterTerm, Map<FieldName, Comparison | undefined>>();

/** Returns how a term is compared with a field; undefined if it is about other fields. */
function comparisonWith(term: FilterTerm, field: FieldName): Comparison | undefined {
	let ofTerm = comparisons.get(term);
	if (ofTerm === undefined) {
		ofTerm = new Map();
		comparisons.set(term, ofTerm);
	}
	if (!ofTerm.has(field)) ofTerm.set(field, createComparison(term, field));
	return ofTerm.get(field);
}

function createComparison(
	{ fieldName, value }: FilterTerm,
	field: FieldName,
): Comparison | undefined {
	if (fieldName === undefined) {
		if (!searchedFields.includes(field)) return undefined;
		const source = patternSourceOf(value, field);
		const any = new RegExp(source, 'i');
		const test = (each: string | number) => any.test(String(each));
		return { test, typed: value, pattern: new RegExp(source, 'gi'), places: new Map() };
	}
	if (fieldNameFrom(fieldName) !== field) return undefined;
	const test = valueTestOf(field, value);
	if (typeof test !== 'function') return undefined;
	const typed = value.replace(/^=/, '');
	const source = patternSourceOf(typed, field);
	const isWholeWord = fields[field].kind !== 'text';
	const pattern = new RegExp(isWholeWord ? `(?<![\\w.])${source}(?!\\w)` : source, 'gi');
	return { test, typed, pattern, places: new Map() };
}

const patternSourceOf = (typed: string, field: FieldName) =>
	fields[field].showsUnderscoresAsBlanks ? escapedLoosePattern(typed) : escapedPattern(typed);

/** The places of values, by the text. Each letter of a filter is a new term, but most texts are the same. */
const placesOfValues = new Map<string, MatchedPlace>();

/** Returns the place of the value without the signs around it: `Error` in `✖ Error`, and `82%` in `▲82%`. */
function placeOfValue(text: string): MatchedPlace {
	let place = placesOfValues.get(text);
	if (place) return place;
	// Without Unicode, the sign of a status may be a single letter.
	const found = /(?!\p{L} )[\p{L}\p{N}](?:.*[\p{L}\p{N}%])?/u.exec(text);
	place = found ? { from: found.index, to: found.index + found[0].length } : { from: 0, to: 0 };
	if (placesOfValues.size >= maxKeptPlaces) placesOfValues.clear();
	placesOfValues.set(text, place);
	return place;
}

function placesOf(pattern: RegExp, text: string, within: MatchedPlace): readonly MatchedPlace[] {
	const searched = text.slice(within.from, within.to);
	const places: MatchedPlace[] = [];
	pattern.lastIndex = 0;
	for (let found = pattern.exec(searched); found !== null; found = pattern.exec(searched)) {
		const from = within.from + found.index;
		places.push({ from, to: from + found[0].length });
	}
	return places;
}
