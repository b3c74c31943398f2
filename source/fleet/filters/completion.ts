import { memoize } from '../../foundation/memoize.ts';
import { nearestName } from '../../foundation/nearest-name.ts';
import {
	type Field,
	type FilterTable,
	fieldNameIn,
	filterFrom,
	filterWord,
	filterWordsIn,
	isOr,
	valueTestOf,
} from './filter.ts';

//  typed           completions, with the number of items that the filter would leave
//  st              status: stage:
//  status:         status:active (17) status:error (1) status:stopped (4)
//  cpu:            cpu:>80 (3) cpu:>50 (5) cpu:<10 (9)
//  err             status:error (1)

export type Completion = {
	word: string;
	count?: number;
};

type CompletedWord = { from: number; to: number; completions: readonly Completion[] };

export type CompleteFilter = (line: { text: string; caret: number }) => CompletedWord;

const maxCompletions = 9;

export function createFilterCompleter<T>(
	items: readonly T[],
	table: FilterTable<T>,
	now: number,
): CompleteFilter {
	const { fields } = table;
	const names = Object.keys(fields);

	const complete = memoize((text: string, caret: number): CompletedWord => {
		const words = filterWordsIn(text);
		const at = words.findIndex(({ from, to }) => from < caret && caret <= to);
		const { from, to } = words[at] ?? { from: caret, to: caret };
		const { isNegated, fieldName, value } = filterWord(text.slice(from, caret), from);
		const sign = isNegated ? '-' : '';
		const termOf = (name: string, operand: string) =>
			`${sign}${name}:${/\s/.test(operand) ? `"${operand}"` : operand}`;

		const withCount = (word: string): Completion => {
			const filter = filterFrom(text.slice(0, from) + word + text.slice(to), table);
			return { word, count: items.filter(item => filter.test(item, now)).length };
		};
		// The other words between the OR before the caret and the one after it.
		const others = words.map((word, place) => (place === at ? { ...word, text: '' } : word));
		const begin = others.findLastIndex(word => isOr(word) && word.from < caret) + 1;
		const end = others.findIndex(word => isOr(word) && word.from >= caret);
		const group = others.slice(begin, end < 0 ? undefined : end).map(word => word.text);
		const filter = filterFrom(group.join(' '), table);
		const matching = items.filter(item => filter.test(item, now));
		const valuesOf = (field: Field<T>) =>
			mostFrequent(matching.flatMap(item => field.values(item, now)).map(String));

		function completions(): readonly Completion[] {
			if (fieldName === undefined) {
				const started = names.filter(name => name.startsWith(value.toLowerCase()));
				return [
					...started.map(name => ({ word: `${sign}${name}:` })),
					...(value.length < 2 ? [] : termsWith(value)).map(withCount),
				];
			}
			const name = fieldNameIn(fields, fieldName);
			const field = fields[name ?? ''];
			if (name !== undefined && field)
				return operandsOf(field).map(operand => withCount(termOf(name, operand)));
			const nearest = nearestName(fieldName, names);
			return nearest === undefined ? [] : [{ word: termOf(nearest, value) }];
		}

		function operandsOf(field: Field<T>): readonly string[] {
			const { examples } = field;
			const isValid = value !== '' && typeof valueTestOf(field, value) === 'function';
			const values = examples && isValid ? [...examples, value] : (examples ?? valuesOf(field));
			return valuesWith(value, values).slice(0, maxCompletions);
		}

		function termsWith(typed: string): readonly string[] {
			const terms = Object.entries(fields).flatMap(([name, field]) =>
				field.hasFewValues ? valuesOf(field).map(operand => ({ name, operand })) : [],
			);
			const found = valuesWith(
				typed,
				terms.map(({ operand }) => operand),
			);
			return terms
				.filter(({ operand }) => found.includes(operand))
				.map(({ name, operand }) => termOf(name, operand));
		}

		return { from, to, completions: completions().slice(0, maxCompletions) };
	});
	return ({ text, caret }) => complete(text, caret);
}

function mostFrequent(texts: readonly string[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return [...counts]
		.filter(([text]) => !/["\n]/.test(text))
		.sort(([, one], [, other]) => other - one)
		.map(([text]) => text);
}

function valuesWith(typed: string, values: readonly string[]): readonly string[] {
	const part = typed.toLowerCase();
	const containing = values.filter(each => each.toLowerCase().includes(part));
	const begun = containing.filter(each => each.toLowerCase().startsWith(part));
	const nearest = containing.length > 0 ? undefined : nearestName(typed, values);
	return nearest === undefined ? [...new Set([...begun, ...containing])] : [nearest];
}
