import { createItemValues } from '../../foundation/item-values.ts';
import { memoize } from '../../foundation/memoize.ts';
import { nearestName } from '../../foundation/nearest-name.ts';
import type { CompletedWord, Completion } from '../../foundation/term-completion.ts';
import { type FieldName, type FieldSource, fieldNameFrom, fields } from './field.ts';
import { filterFrom, searchedFields, valueTestOf } from './filter.ts';
import { type FilterWord, filterTermOf, filterWordsOf, isOrWord } from './filter-words.ts';

//  typed           completions, with the number of computers that the filter would leave
//  st              status: stage:
//  status:         status:active (17) status:error (1) status:stopped (4)
//  cpu:            cpu:>80 (3) cpu:>50 (5) cpu:<10 (9)
//  err             status:error (1)

type TypedLine = { text: string; caret: number };

const maxCompletions = 9;

const noValues: readonly string[] = [];

/** The computers that a filter applies to. */
export type FilterSubjects<T> = {
	sourceOf: (item: T) => FieldSource;
	accountOf: (item: T) => string | undefined;
	now: number;
};

/** Computers that have the same values of a field. */
type ValueGroup = { values: readonly (string | number)[]; count: number };

/**
 * Creates a completer of the word at the caret. While a person types a word, the other words stay the same. So the
 * computers that match the other words are counted once for each field, and not for each letter. In the next list, only
 * the computers that changed are read again.
 */
export function createFilterCompleter<T>({ sourceOf, accountOf, now }: FilterSubjects<T>) {
	const createMatches = (filter: string) => {
		const { test } = filterFrom(filter, { wordsMatch: 'anything' });
		return createItemValues((item: T) => test(sourceOf(item), now, accountOf(item)));
	};
	const matchesOfWords = memoize(createMatches);
	const matchesOfGroups = memoize(createMatches);
	/**
	 * Divides the computers into those that match without the word at the caret, and those that match only with it.
	 */
	const divide = memoize((items: readonly T[], otherWords: string, otherGroups: string) => {
		if (otherWords === '' && otherGroups === '') return { matching: 0, undecided: items };
		const isLeft = otherGroups === '' ? [] : matchesOfGroups(otherGroups)(items);
		const canMatch = matchesOfWords(otherWords)(items);
		return {
			matching: items.filter((_, at) => isLeft[at]).length,
			undecided: items.filter((_, at) => !isLeft[at] && canMatch[at]),
		};
	});
	const countersByField = new Map<FieldName, ReturnType<typeof createCounter>>();

	/** Groups the undecided computers by their values of a field, because most of them have the same few values. */
	function createCounter(name: FieldName) {
		const known = new Map<string | number, readonly (string | number)[]>();
		const valuesOf = createItemValues((item: T) => {
			const values = fields[name].values(sourceOf(item), now, accountOf(item));
			const [key] = values.length > 1 ? [values.join('\n')] : values;
			if (key === undefined) return noValues;
			const same = known.get(key);
			if (same === undefined) known.set(key, values);
			return same ?? values;
		});
		const groupsOf = memoize((all: readonly (readonly (string | number)[])[]) => {
			const groups = new Map<readonly (string | number)[], ValueGroup>();
			for (const values of all) {
				const group = groups.get(values);
				if (group) group.count += 1;
				else groups.set(values, { values, count: 1 });
			}
			return [...groups.values()];
		});
		const distinctOf = memoize(distinctValuesOf);
		return (undecided: readonly T[]) => {
			const groups = groupsOf(valuesOf(undecided));
			return { groups, distinct: () => distinctOf(groups) };
		};
	}

	function valuesIn(name: FieldName, undecided: readonly T[]) {
		const counter = countersByField.get(name) ?? createCounter(name);
		countersByField.set(name, counter);
		return counter(undecided);
	}

	function wordAtCaret(items: readonly T[], { text, caret }: TypedLine) {
		const words = filterWordsOf(text);
		const word = words.find(({ from, to }) => from < caret && caret <= to);
		const { otherWords, otherGroups } = otherTextsOf(words, word, caret);
		const { from, to } = word ?? { from: caret, to: caret };
		return { from, to, ...divide(items, otherWords, otherGroups) };
	}

	// The line of the filter and an empty table both ask for the completions of each frame.
	const complete = memoize((items: readonly T[], text: string, caret: number): CompletedWord => {
		const { from, to, matching, undecided } = wordAtCaret(items, { text, caret });
		const typed = text.slice(from, caret);
		const { isNegated, fieldName, value } = filterTermOf({ text: typed, from, to });
		const sign = isNegated ? '-' : '';

		const withCount = (name: FieldName, operand: string): Completion => {
			const matches = valueTestOf(name, operand);
			const count = valuesIn(name, undecided)
				.groups.filter(({ values }) => typeof matches === 'function' && values.some(matches))
				.reduce((sum, group) => sum + group.count, 0);
			const left = isNegated ? undecided.length - count : count;
			return { word: `${sign}${name}:${quoted(operand)}`, count: matching + left };
		};
		const valuesOf = (name: FieldName) => valuesIn(name, undecided).distinct();

		if (fieldName === undefined)
			return { from, to, completions: wordCompletions(value, sign, valuesOf, withCount) };
		const name = fieldNameFrom(fieldName);
		if (name === undefined) {
			const nearest = nearestName(fieldName, Object.keys(fields));
			const words = nearest === undefined ? [] : [`${sign}${nearest}:${quoted(value)}`];
			return { from, to, completions: words.map(each => ({ word: each, count: undefined })) };
		}
		const operands = operandsOf(name, value, valuesOf);
		return { from, to, completions: operands.map(operand => withCount(name, operand)) };
	});

	return {
		complete: (items: readonly T[], { text, caret }: TypedLine) => complete(items, text, caret),
	};
}

/** Returns the filter without the word at the caret: the rest of its group, and the groups of the other alternatives. */
function otherTextsOf(words: readonly FilterWord[], word: FilterWord | undefined, caret: number) {
	const groups: FilterWord[][] = [[]];
	let ownGroup = 0;
	for (const each of words) {
		if (isOrWord(each) && each !== word) groups.push([]);
		else if (each !== word) groups.at(-1)?.push(each);
		if (each.from < caret) ownGroup = groups.length - 1;
	}
	const textOf = (group: readonly FilterWord[]) => group.map(({ text }) => text).join(' ');
	const others = groups.filter((group, at) => at !== ownGroup && group.length > 0);
	return {
		otherWords: textOf(groups[ownGroup] ?? []),
		otherGroups: others.map(textOf).join(' OR '),
	};
}

/** Returns the different values that can be written into a filter, the most frequent first. */
function distinctValuesOf(groups: readonly ValueGroup[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const { values, count } of groups)
		for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + count);
	return [...counts]
		.filter(([value]) => !/["\n]/.test(value))
		.sort(([, one], [, other]) => other - one)
		.map(([value]) => value);
}

/** Returns what can stand after the colon: values that computers have, or examples of numbers and times. */
function operandsOf(
	name: FieldName,
	typed: string,
	valuesOf: (name: FieldName) => readonly string[],
): readonly string[] {
	const { examples = [] } = fields[name];
	const prefix = typed.toLowerCase();
	const isValid = typed !== '' && typeof valueTestOf(name, typed) === 'function';
	const values = examples.length > 0 ? examples : valuesOf(name);
	const found = values.filter(each => each.toLowerCase().startsWith(prefix));
	const inside = values.filter(each => each.toLowerCase().includes(prefix));
	const own = isValid && examples.length > 0 ? [typed] : [];
	const hasMatch = inside.length > 0 || own.length > 0;
	const nearest = hasMatch ? undefined : nearestName(typed, values);
	const similar = nearest === undefined ? [] : [nearest];
	return [...new Set([...own, ...found, ...inside, ...similar])].slice(0, maxCompletions);
}

// The names of computers are not offered as completions, because the table already shows the matching computers.
const fieldsWithFewValues = searchedFields.filter(
	name => !['name', 'id', 'address', 'stage'].includes(name),
);

/** Returns the fields that begin with the word, and the terms whose value contains it. */
function wordCompletions(
	typed: string,
	sign: string,
	valuesOf: (name: FieldName) => readonly string[],
	withCount: (name: FieldName, operand: string) => Completion,
): readonly Completion[] {
	const prefix = typed.toLowerCase();
	const names = Object.keys(fields).filter(name => name.startsWith(prefix));
	const started = names.map(name => ({ word: `${sign}${name}:`, count: undefined }));
	if (typed.length < 2) return started.slice(0, maxCompletions);
	const terms = fieldsWithFewValues.flatMap(name => valuesOf(name).map(value => ({ name, value })));
	const found = terms.filter(({ value }) => value.toLowerCase().includes(prefix));
	const completed = (found.length > 0 ? found : similarTerms(typed, terms))
		.slice(0, maxCompletions)
		.map(({ name, value }) => withCount(name, value));
	return [...started, ...completed].slice(0, maxCompletions);
}

type FieldTerm = { name: FieldName; value: string };

/** Returns the terms whose value the person most likely meant. */
function similarTerms(typed: string, terms: readonly FieldTerm[]): readonly FieldTerm[] {
	const nearest = nearestName(
		typed,
		terms.map(({ value }) => value),
	);
	return terms.filter(({ value }) => value === nearest);
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value}"` : value);
