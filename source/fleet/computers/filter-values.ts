import { parseDuration } from '../../foundation/duration.ts';
import type { FieldKind } from './field.ts';
import { compareVersions } from './version.ts';

/** Returns whether one value of a field matches. */
export type ValueTest = (value: string | number) => boolean;

/** The kinds of fields with ordered values, which a filter can compare or test against a range. */
type OrderedKind = Exclude<FieldKind, 'text'>;

const inputByKind: Readonly<Record<OrderedKind, string>> = {
	number: 'a number such as 80',
	version: 'a version such as 1.4',
	duration: 'a time such as 90s, 10m, 4h or 7d',
};

/** Says what a person can type after the colon of a field. */
export const inputText = (kind: FieldKind) => (kind === 'text' ? 'a word' : inputByKind[kind]);

/**
 * Returns the test for the text after the colon of an ordered field: `80`, `>80`, `<=1.4` or the range `20..60`,
 * which includes both ends and may leave out one of them. If the text is none of these, returns the reason why it is
 * wrong.
 */
export function orderedValueTest(kind: OrderedKind, typed: string): ValueTest | string {
	const [, lowest, highest] = /^([^<>=]*?)\.\.([^<>=]*)$/.exec(typed) ?? [];
	if (lowest !== undefined && highest !== undefined) return rangeTest(kind, lowest, highest);
	const [, operator = '', operand = ''] = /^([<>]=?|=)?(.*)$/s.exec(typed) ?? [];
	if (operand === '') return inputByKind[kind];
	if (kind === 'version' && (operator === '' || operator === '='))
		return value => isVersionWithin(String(value), operand);
	const compare = comparisonFrom(kind, operand);
	if (compare === undefined) return `${inputByKind[kind]}, not ${operand}`;
	return value => satisfiesOperator(operator, compare(value));
}

const rangeExamples: Readonly<Record<OrderedKind, string>> = {
	number: '20..60',
	version: '1.3..1.4',
	duration: '1h..7d',
};

function rangeTest(kind: OrderedKind, lowest: string, highest: string): ValueTest | string {
	const isOpen = lowest === '' || highest === '';
	const fromLowest = lowest === '' ? undefined : comparisonFrom(kind, lowest);
	const toHighest = highest === '' ? undefined : comparisonFrom(kind, highest);
	const isIncomplete = (lowest !== '' && !fromLowest) || (highest !== '' && !toHighest);
	if (isIncomplete || (!fromLowest && !toHighest))
		return `a range such as ${rangeExamples[kind]}, not ${lowest}..${highest}`;
	const lowestValue = kind === 'version' ? lowest : numberOf(kind, lowest);
	if (!isOpen && toHighest && lowestValue !== undefined && toHighest(lowestValue) > 0)
		return `a range with the smaller value first, such as ${rangeExamples[kind]}`;
	// The end 1.4 of a range of versions includes 1.4.2, because 1.4 alone means every 1.4.x as well.
	const isAtEnd = (value: string | number) =>
		kind === 'version' && isVersionWithin(String(value), highest);
	return value =>
		(!fromLowest || fromLowest(value) >= 0) &&
		(!toHighest || toHighest(value) <= 0 || isAtEnd(value));
}

/**
 * Returns a function that compares a value with the operand. The result is negative if the value is smaller, and
 * positive if it is larger.
 */
function comparisonFrom(
	kind: OrderedKind,
	operand: string,
): ((value: string | number) => number) | undefined {
	if (kind === 'version') {
		if (!/^\d/.test(operand)) return undefined;
		return value => compareVersions(String(value), operand);
	}
	const number = numberOf(kind, operand);
	return number === undefined ? undefined : value => Number(value) - number;
}

function satisfiesOperator(operator: string, comparison: number): boolean {
	if (operator === '<') return comparison < 0;
	if (operator === '>') return comparison > 0;
	if (operator === '<=') return comparison <= 0;
	return operator === '>=' ? comparison >= 0 : Math.abs(comparison) < 0.5;
}

/** Whether a version begins with the given segments: `1.4` matches every 1.4.x. */
function isVersionWithin(version: string, prefix: string): boolean {
	return version === prefix || version.startsWith(prefix.endsWith('.') ? prefix : `${prefix}.`);
}

function numberOf(kind: OrderedKind, text: string): number | undefined {
	if (kind === 'duration') return parseDuration(text);
	const digits = text.replace(/%$/, '');
	return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}
