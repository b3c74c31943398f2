import { parseDuration } from '../../foundation/duration.ts';
import { compareVersions } from '../computers/version.ts';
import type { Field, FieldKind, FieldValue, ValueTest } from './field.ts';

type OrderedKind = Exclude<FieldKind, 'text'>;

const inputByKind: Readonly<Record<FieldKind, string>> = {
	text: 'a word',
	number: 'a number such as 80',
	version: 'a version such as 1.4',
	duration: 'a time such as 90s, 10m, 4h or 7d',
};

const rangeExamples: Readonly<Record<OrderedKind, string>> = {
	number: '20..60',
	version: '1.3..1.4',
	duration: '1h..7d',
};

export function valueTestOf<T>(field: Field<T>, typed: string): ValueTest | string {
	const { kind, valueTest } = field;
	const test = valueTest?.(typed) ?? (kind === 'text' ? undefined : orderedTest(kind, typed));
	if (test !== undefined) return typeof test === 'string' ? `takes ${test}` : test;
	const { operator, operand } = comparisonIn(typed);
	if (operand === '') return `takes ${inputByKind.text}`;
	if (operator === '=') {
		const whole = plainText(field, operand);
		return value => plainText(field, value) === whole;
	}
	return operator === '' ? containsTest(field, operand) : `cannot be compared with ${operator}`;
}

export function containsTest<T>(field: Field<T>, text: string): ValueTest {
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

/** `80`, `>80`, `<=1.4` or the range `20..60`, which includes both ends and may leave out one of them. */
function orderedTest(kind: OrderedKind, typed: string): ValueTest | string {
	const [, lowest, highest] = /^([^<>=]*?)\.\.([^<>=]*)$/.exec(typed) ?? [];
	if (lowest !== undefined && highest !== undefined) return rangeTest(kind, lowest, highest);
	const { operator, operand } = comparisonIn(typed);
	if (operand === '') return inputByKind[kind];
	if (kind === 'version' && (operator === '' || operator === '='))
		return value => isVersionWithin(String(value), operand);
	const compare = comparisonWith(kind, operand);
	if (!compare) return `${inputByKind[kind]}, not ${operand}`;
	if (operator === '<') return value => compare(value) < 0;
	if (operator === '>') return value => compare(value) > 0;
	if (operator === '<=') return value => compare(value) <= 0;
	if (operator === '>=') return value => compare(value) >= 0;
	const step = lastStepOf(operand);
	return value => Math.abs(compare(value)) < step / 2;
}

function rangeTest(kind: OrderedKind, lowest: string, highest: string): ValueTest | string {
	const fromLowest = lowest === '' ? () => 0 : comparisonWith(kind, lowest);
	const toHighest = highest === '' ? () => 0 : comparisonWith(kind, highest);
	if (!fromLowest || !toHighest || lowest + highest === '')
		return `a range such as ${rangeExamples[kind]}, not ${lowest}..${highest}`;
	const first = kind === 'version' ? lowest : numberFrom(kind, lowest);
	if (lowest !== '' && first !== undefined && toHighest(first) > 0)
		return `a range with the smaller value first, such as ${rangeExamples[kind]}`;
	// The end 1.4 of a range of versions includes 1.4.2, because 1.4 alone means every 1.4.x as well.
	const isAtEnd: ValueTest = value => kind === 'version' && isVersionWithin(String(value), highest);
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

const isVersionWithin = (version: string, prefix: string): boolean =>
	version === prefix || version.startsWith(prefix.endsWith('.') ? prefix : `${prefix}.`);
