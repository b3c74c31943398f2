import { parseDuration } from '../../foundation/duration.ts';
import { type TypingProblem, unknownNameProblem } from '../../foundation/nearest-name.ts';
import { compareVersions, type FieldKind, type FieldValue } from './order.ts';

export type Field<T> = {
	kind: FieldKind;
	values: (item: T, now: number) => readonly FieldValue[];
	synonyms?: readonly string[];
	possibleValues?: readonly string[];
	showsUnderscoresAsBlanks?: boolean;
	/** Values that are offered to a person who types a part of one. */
	hasFewValues?: boolean;
	/** Of what a person types after the colon, where the values are rarely typed themselves. */
	examples?: readonly string[];
	isUnread?: (item: T) => boolean;
	/** Whether a word without a field often means what was not read yet. */
	isUnreadForWords?: true;
	/** A text says what can be typed. */
	valueTest?: (typed: string) => ValueTest | string;
};

export const present = (
	...values: readonly (FieldValue | null | undefined)[]
): readonly FieldValue[] => values.filter(value => value !== null && value !== undefined);

type ValueTest = (value: FieldValue) => boolean;

export type FilterTable<T> = {
	fields: Readonly<Record<string, Field<T>>>;
	searched: readonly Field<T>[];
};

type FilterWord = ReturnType<typeof filterWord>;

type Term<T> = {
	word: FilterWord;
	tests: readonly { field: Field<T>; matches: ValueTest }[];
};

export type FilterMistake = TypingProblem & {
	problemAt?: { from: number; to: number };
	/** Some item may have the value later. */
	isUnknownValue?: boolean;
};

/** The correct terms of a wrong text apply; with `items`, not those with an impossible value that no item has. */
export function filterFrom<T>(text: string, table: FilterTable<T>, items?: Iterable<NoInfer<T>>) {
	const words = filterWordsIn(text);
	const groups: Term<T>[][] = [[]];
	let mistake: FilterMistake | undefined;
	for (const word of words) {
		if (isOr(word)) {
			groups.push([]);
			continue;
		}
		const term = termFrom(word, table);
		const problem = 'tests' in term ? unknownValueIn(term, table, items) : term;
		if (problem) mistake ??= { ...problem, problemAt: placeOf(word) };
		if ('tests' in term && !(problem && items)) groups.at(-1)?.push(term);
	}
	const filled = groups.filter(group => group.length > 0);
	const or = words.find(isOr);
	if (or && filled.length < groups.length)
		mistake ??= { problem: 'OR needs a term on both sides', problemAt: placeOf(or) };
	const groupsMet = (item: T, now: number) =>
		filled.filter(group => group.every(term => isMet(term, item, now)));
	return {
		test: (item: T, now: number): boolean => filled.length === 0 || groupsMet(item, now).length > 0,
		/** A negated term is not among them. */
		termsIn: (item: T, now: number): readonly Term<T>[] =>
			groupsMet(item, now)
				.flat()
				.filter(({ word }) => !word.isNegated),
		isUnread: (item: T): boolean => filled.flat().some(term => looksAtUnread(term, item)),
		mistake,
	};
}

const placeOf = ({ from, to }: FilterWord) => ({ from, to });

export const isOr = ({ text }: FilterWord) => text === 'OR';

export const filterWordsIn = (text: string): readonly FilterWord[] =>
	Array.from(text.matchAll(/-?\S*"[^"]*"?|\S+/g), ({ 0: word, index }) => filterWord(word, index));

export function filterWord(text: string, from: number) {
	const isNegated = text.startsWith('-') && text.length > 1;
	const term = isNegated ? text.slice(1) : text;
	const [, fieldName, value = term] = /^([^:"]+):(.*)$/s.exec(term) ?? [];
	const to = from + text.length;
	return { text, from, to, isNegated, fieldName, value: value.replaceAll('"', '') };
}

export function fieldNameIn<T>(fields: FilterTable<T>['fields'], word: string): string | undefined {
	const name = word.toLowerCase();
	if (Object.hasOwn(fields, name)) return name;
	return Object.keys(fields).find(each => fields[each]?.synonyms?.includes(name));
}

function termFrom<T>(
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

const looksAtUnread = <T>({ word, tests }: Term<T>, item: T): boolean =>
	tests.some(
		({ field }) =>
			field.isUnread?.(item) && (word.fieldName !== undefined || field.isUnreadForWords),
	);

/** In a cell: the text that was typed, or else the whole value, such as that of `cpu:>80`. */
export function matchedPlaces<T>(
	terms: readonly Term<T>[],
	{ text, field, values }: { text: string; field: Field<T>; values: readonly FieldValue[] },
): readonly { from: number; to: number }[] {
	const { kind, possibleValues } = field;
	const places = terms.flatMap(({ word, tests }) => {
		const test = tests.find(each => each.field === field);
		if (!test || !values.some(test.matches)) return [];
		const typed = word.value.replace(/^=/, '');
		const escaped = typed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/[ _]/g, '[ _]');
		const isWhole = word.fieldName !== undefined && kind !== 'text';
		const pattern = new RegExp(isWhole ? `(?<![\\w.])${escaped}(?!\\w)` : escaped, 'gi');
		const found = typed === '' ? [] : Array.from(text.matchAll(pattern));
		// A cell may show another text, such as that of an operation instead of the stage.
		if (found.length === 0 && (kind !== 'text' || possibleValues))
			return [{ from: 0, to: text.length }];
		return found.map(({ 0: part, index }) => ({ from: index, to: index + part.length }));
	});
	let end = 0;
	return places
		.sort((a, b) => a.from - b.from || b.to - a.to)
		.flatMap(place => {
			const from = Math.max(place.from, end);
			end = Math.max(end, place.to);
			return from < place.to ? [{ from, to: place.to }] : [];
		});
}

const typable: Readonly<Record<FieldKind, { input: string; range: string }>> = {
	text: { input: 'a word', range: '' },
	number: { input: 'a number such as 80', range: '20..60' },
	version: { input: 'a version such as 1.4', range: '1.3..1.4' },
	duration: { input: 'a time such as 90s, 10m, 4h or 7d', range: '1h..7d' },
};

export function valueTestOf<T>(field: Field<T>, typed: string): ValueTest | string {
	const { kind, valueTest } = field;
	const test = valueTest?.(typed) ?? (kind === 'text' ? undefined : orderedTest(kind, typed));
	if (test !== undefined) return typeof test === 'string' ? `takes ${test}` : test;
	const { operator, operand } = comparisonIn(typed);
	if (operand === '') return `takes ${typable.text.input}`;
	if (operator === '=') {
		const whole = plainText(field, operand);
		return value => plainText(field, value) === whole;
	}
	return operator === '' ? containsTest(field, operand) : `cannot be compared with ${operator}`;
}

function containsTest<T>(field: Field<T>, text: string): ValueTest {
	const part = plainText(field, text);
	return value => plainText(field, value).includes(part);
}

function plainText<T>({ showsUnderscoresAsBlanks }: Field<T>, value: FieldValue): string {
	const text = String(value).toLowerCase();
	return showsUnderscoresAsBlanks ? text.replaceAll('_', ' ') : text;
}

function comparisonIn(typed: string) {
	const [, operator = '', operand = ''] = /^([<>]=?|=)?(.*)$/s.exec(typed) ?? [];
	return { operator, operand };
}

type OrderedKind = Exclude<FieldKind, 'text'>;

/** `80`, `>80`, `<=1.4` or the range `20..60`, which includes both ends and may leave out one of them. */
function orderedTest(kind: OrderedKind, typed: string): ValueTest | string {
	const [, lowest, highest] = /^([^<>=]*?)\.\.([^<>=]*)$/.exec(typed) ?? [];
	if (lowest !== undefined && highest !== undefined) return rangeTest(kind, lowest, highest);
	const { operator, operand } = comparisonIn(typed);
	const { input } = typable[kind];
	if (operand === '') return input;
	if (kind === 'version' && (operator === '' || operator === '='))
		return value => isVersionWithin(value, operand);
	const compare = comparisonWith(kind, operand);
	if (!compare) return `${input}, not ${operand}`;
	if (operator === '<') return value => compare(value) < 0;
	if (operator === '>') return value => compare(value) > 0;
	if (operator === '<=') return value => compare(value) <= 0;
	if (operator === '>=') return value => compare(value) >= 0;
	const step = lastStepOf(operand);
	return value => Math.abs(compare(value)) < step / 2;
}

function rangeTest(kind: OrderedKind, lowest: string, highest: string): ValueTest | string {
	const { range } = typable[kind];
	const fromLowest = lowest === '' ? () => 0 : comparisonWith(kind, lowest);
	const toHighest = highest === '' ? () => 0 : comparisonWith(kind, highest);
	if (!fromLowest || !toHighest || lowest + highest === '')
		return `a range such as ${range}, not ${lowest}..${highest}`;
	const first = kind === 'version' ? lowest : numberFrom(kind, lowest);
	if (lowest !== '' && first !== undefined && toHighest(first) > 0)
		return `a range with the smaller value first, such as ${range}`;
	// The end 1.4 of a range of versions includes 1.4.2, because 1.4 alone means every 1.4.x as well.
	const isAtEnd: ValueTest = value => kind === 'version' && isVersionWithin(value, highest);
	return value => fromLowest(value) >= 0 && (toHighest(value) <= 0 || isAtEnd(value));
}

/** Negative for a smaller value than the typed one. */
function comparisonWith(
	kind: OrderedKind,
	typed: string,
): ((value: FieldValue) => number) | undefined {
	if (kind === 'version')
		return /^\d/.test(typed) ? value => compareVersions(String(value), typed) : undefined;
	const number = numberFrom(kind, typed);
	return number === undefined ? undefined : value => Number(value) - number;
}

const factors: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

const numberPattern = /^(\d+)(?:\.(\d+))?([km%]?)$/i;

function numberFrom(kind: 'number' | 'duration', text: string): number | undefined {
	if (kind === 'duration') return parseDuration(text);
	const [, whole, decimals = '0', unit = ''] = numberPattern.exec(text) ?? [];
	return whole === undefined
		? undefined
		: Number(`${whole}.${decimals}`) * (factors[unit.toLowerCase()] ?? 1);
}

/** As the screen rounds them: 91 matches 91.4, and 128k matches 128,200. */
function lastStepOf(text: string): number {
	const [, , decimals = '', unit = ''] = numberPattern.exec(text) ?? [];
	return (factors[unit.toLowerCase()] ?? 1) / 10 ** decimals.length;
}

const isVersionWithin = (version: FieldValue, prefix: string): boolean =>
	version === prefix || String(version).startsWith(prefix.endsWith('.') ? prefix : `${prefix}.`);
