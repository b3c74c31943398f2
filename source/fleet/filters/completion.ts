import { memoize } from '../../foundation/memoize.ts';
import { nearestName } from '../../foundation/nearest-name.ts';
import { type Field, type FieldValue, type FilterTable, fieldNameIn } from './field.ts';
import { type FilterWord, filterFrom, filterWord, filterWordsIn, isOr } from './filter.ts';
import { valueTestOf } from './value-test.ts';

//  typed           completions, with the number of items that the filter would leave
//  st              status: stage:
//  status:         status:active (17) status:error (1) status:stopped (4)
//  cpu:            cpu:>80 (3) cpu:>50 (5) cpu:<10 (9)
//  err             status:error (1)

export type Completion = {
	word: string;
	count: number | undefined;
};

type CompletedWord = { from: number; to: number; completions: readonly Completion[] };

export type CompleteFilter = (line: { text: string; caret: number }) => CompletedWord;

const maxCompletions = 9;

export function createFilterCompleter<T>(
	items: readonly T[],
	table: FilterTable<T>,
	now: number,
): CompleteFilter {
	const complete = memoize((text: string, caret: number) =>
		completedWord(items, table, now, text, caret),
	);
	return ({ text, caret }) => complete(text, caret);
}

function completedWord<T>(
	items: readonly T[],
	table: FilterTable<T>,
	now: number,
	text: string,
	caret: number,
): CompletedWord {
	const words = filterWordsIn(text);
	const word = words.find(({ from, to }) => from < caret && caret <= to);
	const { from, to } = word ?? { from: caret, to: caret };
	const { isNegated, fieldName, value } = filterWord(text.slice(from, caret), from);
	const sign = isNegated ? '-' : '';

	const withCount = ({ name, operand }: CompletedTerm): Completion => {
		const quoted = /\s/.test(operand) ? `"${operand}"` : operand;
		const completed = `${sign}${name}:${quoted}`;
		const filter = filterFrom(`${text.slice(0, from)}${completed}${text.slice(to)}`, table);
		return { word: completed, count: items.filter(item => filter.test(item, now)).length };
	};
	const others = filterFrom(otherWordsOfGroup(words, word, caret), table);
	const matching = items.filter(item => others.test(item, now));
	const valuesOf = (field: Field<T>) =>
		distinctTexts(matching.flatMap(item => field.values(item, now)));

	const { fields } = table;
	if (fieldName === undefined) {
		const started = Object.keys(fields)
			.filter(name => name.startsWith(value.toLowerCase()))
			.map(name => ({ word: `${sign}${name}:`, count: undefined }));
		const terms = value.length < 2 ? [] : termsWith(value, fields, valuesOf);
		return {
			from,
			to,
			completions: [...started, ...terms.map(withCount)].slice(0, maxCompletions),
		};
	}
	const name = fieldNameIn(fields, fieldName);
	const field = fields[name ?? ''];
	if (name === undefined || !field) {
		const nearest = nearestName(fieldName, Object.keys(fields));
		const completed = `${sign}${nearest}:${/\s/.test(value) ? `"${value}"` : value}`;
		return {
			from,
			to,
			completions: nearest === undefined ? [] : [{ word: completed, count: undefined }],
		};
	}
	const operands = operandsOf(field, value, valuesOf);
	return { from, to, completions: operands.map(operand => withCount({ name, operand })) };
}

type CompletedTerm = { name: string; operand: string };

/** The words between the OR before the caret and the one after it. */
function otherWordsOfGroup(
	words: readonly FilterWord[],
	word: FilterWord | undefined,
	caret: number,
): string {
	const before = words.findLastIndex(each => each !== word && isOr(each) && each.from < caret);
	const after = words.findIndex(each => each !== word && isOr(each) && each.from >= caret);
	const group = words.slice(before + 1, after < 0 ? undefined : after);
	return group.flatMap(each => (each === word ? [] : each.text)).join(' ');
}

function distinctTexts(values: readonly FieldValue[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
	return [...counts]
		.filter(([text]) => !/["\n]/.test(text))
		.sort(([, one], [, other]) => other - one)
		.map(([text]) => text);
}

function operandsOf<T>(
	field: Field<T>,
	typed: string,
	valuesOf: (field: Field<T>) => readonly string[],
): readonly string[] {
	const { examples } = field;
	const prefix = typed.toLowerCase();
	const values = examples ?? valuesOf(field);
	const isValid = typed !== '' && typeof valueTestOf(field, typed) === 'function';
	const found = [
		...(examples && isValid ? [typed] : []),
		...values.filter(each => each.toLowerCase().startsWith(prefix)),
		...values.filter(each => each.toLowerCase().includes(prefix)),
	];
	const similar = found.length > 0 ? undefined : nearestName(typed, values);
	return [...new Set(similar === undefined ? found : [similar])].slice(0, maxCompletions);
}

function termsWith<T>(
	typed: string,
	fields: FilterTable<T>['fields'],
	valuesOf: (field: Field<T>) => readonly string[],
): readonly CompletedTerm[] {
	const terms = Object.entries(fields).flatMap(([name, field]) =>
		field.hasFewValues ? valuesOf(field).map(operand => ({ name, operand })) : [],
	);
	const found = terms.filter(({ operand }) => operand.toLowerCase().includes(typed.toLowerCase()));
	if (found.length > 0) return found.slice(0, maxCompletions);
	const operands = terms.map(({ operand }) => operand);
	const nearest = nearestName(typed, operands);
	return terms.filter(({ operand }) => operand === nearest);
}
