import { type TypingProblem, unknownNameProblem } from '../../foundation/unknown-name.ts';
import { type FieldName, type FieldSource, fieldNameFrom, fields } from './field.ts';
import { inputText, orderedValueTest, type ValueTest } from './filter-values.ts';
import {
	escapedPattern,
	type FilterTerm,
	type FilterWord,
	filterTermOf,
	filterWordsOf,
	isOrWord,
} from './filter-words.ts';
import { isErrorNotRead, isVersionNotRead } from './not-read.ts';
import { hasWord, wordSearchFor } from './word-search.ts';

/** Returns whether a computer matches. `account` is the name of its account, if there are several. */
export type FilterTest = (subject: FieldSource, now: number, account?: string) => boolean;

export type FindMatchingTerms = (...of: Parameters<FilterTest>) => readonly FilterTerm[];

/**
 * A parsed filter. If the text is wrong or only half typed, `problem` says why, and `test` uses the terms that are
 * correct.
 */
export type Filter = {
	test: FilterTest;
	/** Returns the terms that a computer has, in the groups that match it. A negated term is not among them. */
	termsIn: FindMatchingTerms;
	problem?: string;
	/** The problem in parts, if it is an unknown name. */
	problemParts?: TypingProblem['problemParts'];
	/** The place of the wrong word in the text. */
	problemAt?: Pick<FilterWord, 'from' | 'to'>;
	/** The unknown status, if that is the problem. The platform may still use such a status. */
	unknownStatus?: string;
};

type Problem = Omit<Filter, 'test' | 'termsIn'> & { problem: string; test?: FilterTest };

type FilterOptions = {
	/** Returns whether any computer has a status that contains the text. */
	isKnownStatus?: (status: string) => boolean;
	/**
	 * Where a word without a field is searched. A command searches only what identifies a computer, because
	 * `delete --filter error` must not mean every computer in error.
	 */
	wordsMatch?: 'names' | 'anything';
	/** If true, a term with a status that no computer has counts as not understood, and hides no row. */
	ignoresUnknownStatus?: boolean;
};

const matchesAll: FilterTest = () => true;

/**
 * Parses a filter. A word matches the name, id or address, and in the monitor also the status, version, stage, error
 * and location. `field:value` matches one field; numbers, times and versions can be compared with `<`, `>`, `<=` or
 * `>=`, and can be within a range such as `20..60`. A text contains the value, or equals it after `=`. `-` negates a
 * term. All terms of a group must match, and `OR` separates groups: `status:stopped version:<1.4 OR -name:test`.
 */
export function filterFrom(text: string, options: FilterOptions = {}): Filter {
	const groups: { test: FilterTest; term: FilterTerm }[][] = [[]];
	let firstProblem: Omit<Problem, 'test'> | undefined;
	const words = filterWordsOf(text);
	for (const word of words) {
		if (isOrWord(word)) {
			groups.push([]);
			continue;
		}
		const term = filterTermOf(word);
		const result = testFromTerm(term, options);
		const { test, ...problem } = typeof result === 'function' ? { test: result } : result;
		if ('problem' in problem) firstProblem ??= { ...problem, problemAt: placeOf(word) };
		if (test) groups.at(-1)?.push({ test, term });
	}
	const nonEmptyGroups = groups.filter(group => group.length > 0);
	if (groups.length > 1 && nonEmptyGroups.length < groups.length) {
		const or = words.find(isOrWord);
		const problem = 'OR needs a term on both sides';
		firstProblem ??= { problem, ...(or && { problemAt: placeOf(or) }) };
	}
	const groupTests = nonEmptyGroups.map(group => allOf(group.map(({ test }) => test)));
	const test = groupTests.length === 0 ? matchesAll : anyOf(groupTests);
	const found = nonEmptyGroups.map((group, at) => ({
		test: groupTests[at] ?? matchesAll,
		terms: group.map(({ term }) => term).filter(({ isNegated }) => !isNegated),
	}));
	const termsIn: FindMatchingTerms = (subject, now, account) =>
		found.filter(each => each.test(subject, now, account)).flatMap(({ terms }) => terms);
	return { ...firstProblem, test, termsIn };
}

const allOf = (tests: readonly FilterTest[]): FilterTest =>
	tests.length === 1 && tests[0]
		? tests[0]
		: (subject, now, account) => tests.every(test => test(subject, now, account));

const anyOf = (tests: readonly FilterTest[]): FilterTest =>
	tests.length === 1 && tests[0]
		? tests[0]
		: (subject, now, account) => tests.some(test => test(subject, now, account));

const placeOf = ({ from, to }: FilterWord) => ({ from, to });

function testFromTerm(
	{ isNegated, fieldName, value }: FilterTerm,
	options: FilterOptions,
): FilterTest | Problem {
	const test =
		fieldName === undefined
			? wordTests[options.wordsMatch ?? 'names'](value)
			: fieldTest(fieldName, value, options);
	if (!isNegated) return test;
	const name = fieldName === undefined ? undefined : fieldNameFrom(fieldName);
	if (typeof test === 'function') return negated(test, name);
	return test.test ? { ...test, test: negated(test.test, name) } : test;
}

/** Nobody knows whether a computer lacks a value of a field that was not read yet, so it does not match. */
const negated =
	(test: FilterTest, name: FieldName | undefined): FilterTest =>
	(subject, now, account) =>
		!test(subject, now, account) && !(name !== undefined && hasUnreadValue(name, subject));

const hasUnreadValue = (name: FieldName, subject: FieldSource) =>
	(name === 'version' && isVersionNotRead(subject)) ||
	(name === 'stage' && isErrorNotRead(subject));

/**
 * Counts the computers whose version or reason of an error nobody has read yet, although the filter looks for it. A word
 * without a field is searched in the reasons.
 */
export function countUnread(text: string, computers: Iterable<FieldSource>): number {
	const names = filterWordsOf(text)
		.filter(word => !isOrWord(word))
		.map(word => {
			const { fieldName } = filterTermOf(word);
			return fieldName === undefined ? 'stage' : fieldNameFrom(fieldName);
		})
		.filter(name => name === 'version' || name === 'stage');
	if (names.length === 0) return 0;
	let count = 0;
	for (const computer of computers)
		if (names.some(name => hasUnreadValue(name, computer))) count += 1;
	return count;
}

const patternFor = (word: string) => new RegExp(escapedPattern(word), 'i');

// These tests run for every computer at each typed letter, so they allocate no objects.
const wordTests: Readonly<Record<'names' | 'anything', (word: string) => FilterTest>> = {
	names(word) {
		const pattern = patternFor(word);
		return ({ reading: { name, id, address } }) =>
			pattern.test(name ?? id) || pattern.test(id) || pattern.test(address ?? '');
	},
	anything(word) {
		const search = wordSearchFor(word);
		return subject => hasWord(subject, search);
	},
};

/** The fields in which the monitor searches a word without a field. */
export const searchedFields: readonly FieldName[] = [
	'name',
	'id',
	'address',
	'status',
	'version',
	'stage',
	'location',
];

function fieldTest(
	typedName: string,
	value: string,
	{ isKnownStatus = () => false, ignoresUnknownStatus = false }: FilterOptions,
): FilterTest | Problem {
	const name = fieldNameFrom(typedName);
	if (name === undefined) return unknownNameProblem('field', typedName, fieldNames);
	const matches = valueTestOf(name, value);
	if (typeof matches === 'string') return { problem: `${typedName} ${matches}` };
	const test = createFieldTest(name, matches);
	const { possibleValues } = fields[name];
	const text = value.replace(/^=/, '');
	const isKnown = possibleValues?.some(each => each.includes(text.toLowerCase())) ?? true;
	if (isKnown || isKnownStatus(text)) return test;
	return {
		...unknownNameProblem(name, text, possibleValues ?? []),
		unknownStatus: text,
		...(!ignoresUnknownStatus && { test }),
	};
}

/** Returns the test for the text after the colon of a field, or the reason why the text is wrong. */
export function valueTestOf(name: FieldName, typed: string): ValueTest | string {
	const { kind, showsUnderscoresAsBlanks } = fields[name];
	if (kind !== 'text') {
		const test = orderedValueTest(kind, typed);
		return typeof test === 'string' ? `takes ${test}` : test;
	}
	const [, operator = '', operand = ''] = /^([<>]=?|=)?(.*)$/s.exec(typed) ?? [];
	if (operand === '') return `takes ${inputText(kind)}`;
	if (operator !== '' && operator !== '=') return `cannot be compared with ${operator}`;
	const plain = (value: string | number) => {
		const text = String(value).toLowerCase();
		return showsUnderscoresAsBlanks ? text.replaceAll('_', ' ') : text;
	};
	const searchText = plain(operand);
	return operator === '='
		? value => plain(value) === searchText
		: value => plain(value).includes(searchText);
}

const fieldNames = Object.keys(fields);

/**
 * Creates a function that returns whether the platform's status word of any of these computers contains a text.
 */
export const createStatusTest =
	(computers: Iterable<{ reading: FieldSource['reading'] }>) =>
	(status: string): boolean => {
		for (const { reading } of computers) {
			if (reading.status?.toLowerCase().includes(status.toLowerCase())) return true;
		}
		return false;
	};

function createFieldTest(name: FieldName, matches: ValueTest): FilterTest {
	const { values } = fields[name];
	return (subject, now, account) => values(subject, now, account).some(matches);
}
