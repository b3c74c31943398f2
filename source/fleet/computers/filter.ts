import { parseDuration } from '../../foundation/duration.ts';
import { nearestName } from '../../foundation/nearest-name.ts';
import {
	type FieldKind,
	type FieldName,
	type FieldSource,
	fieldNameFrom,
	fields,
} from './field.ts';
import { compareVersions } from './version.ts';

/** Returns whether a computer matches. `account` is the name of its account, if there are several. */
export type FilterTest = (subject: FieldSource, now: number, account?: string) => boolean;

/**
 * A parsed filter. If the text is wrong or only half typed, `problem` says why, and `test` uses the terms that are
 * correct.
 */
type Filter = {
	test: FilterTest;
	problem?: string;
	/** The unknown status, if that is the problem. The platform may use this status later. */
	unknownStatus?: string;
};

type Problem = { problem: string; unknownStatus?: string; test?: FilterTest };

/** Returns whether any computer has a status that contains the text. */
type IsKnownStatus = (status: string) => boolean;

const matchesAll: FilterTest = () => true;

/**
 * Parses a filter. A word matches the name, id or address. `field:value` matches one field; numbers, times and
 * versions can be compared with `<`, `>`, `<=` or `>=`. `-` negates a term. All terms of a group must match,
 * and `OR` separates groups: `status:stopped version:<1.4 OR -name:test`.
 */
export function filterFrom(text: string, isKnownStatus: IsKnownStatus = () => false): Filter {
	const groups: FilterTest[][] = [[]];
	let firstProblem: Problem | undefined;
	for (const word of text.match(/-?\S*"[^"]*"?|\S+/g) ?? []) {
		if (word === 'OR') {
			groups.push([]);
			continue;
		}
		const term = testFromTerm(word, isKnownStatus);
		if (typeof term !== 'function') firstProblem ??= term;
		const test = typeof term === 'function' ? term : term.test;
		if (test) groups.at(-1)?.push(test);
	}
	const nonEmptyGroups = groups.filter(group => group.length > 0);
	if (groups.length > 1 && nonEmptyGroups.length < groups.length)
		firstProblem ??= { problem: 'OR needs a term on both sides' };
	const test: FilterTest =
		nonEmptyGroups.length === 0
			? matchesAll
			: (subject, now, account) =>
					nonEmptyGroups.some(group => group.every(test => test(subject, now, account)));
	return { ...firstProblem, test };
}

function testFromTerm(term: string, isKnownStatus: IsKnownStatus): FilterTest | Problem {
	const isNegated = term.startsWith('-') && term.length > 1;
	const [, name, value] = /^([^:"]+):(.*)$/s.exec(isNegated ? term.slice(1) : term) ?? [];
	const test =
		name === undefined || value === undefined
			? wordTest(withoutQuotes(isNegated ? term.slice(1) : term))
			: fieldTest(name, withoutQuotes(value), isKnownStatus);
	if (typeof test !== 'function' || !isNegated) return test;
	return (subject, now, account) => !test(subject, now, account);
}

const withoutQuotes = (text: string) => text.replaceAll('"', '');

// The returned test runs over the whole fleet each time that a person types a letter, so it allocates no objects.
function wordTest(word: string): FilterTest {
	const pattern = new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
	return ({ reading: { name, id, address } }) =>
		pattern.test(name ?? id) || pattern.test(id) || pattern.test(address ?? '');
}

function fieldTest(
	typedName: string,
	value: string,
	isKnownStatus: IsKnownStatus,
): FilterTest | Problem {
	const name = fieldNameFrom(typedName);
	if (name === undefined) return { problem: unknownNameText('field', typedName, fieldNames) };
	const { kind, possibleValues } = fields[name];
	const [, operator = '', operand = ''] = /^([<>]=?|=)?(.*)$/s.exec(value) ?? [];
	if (operand === '') return { problem: `${typedName} takes ${inputByKind[kind]}` };
	if (kind === 'text') {
		if (operator !== '' && operator !== '=')
			return { problem: `${typedName} cannot be compared with ${operator}` };
		const searchText = operand.toLowerCase();
		const test = createFieldTest(name, each => String(each).toLowerCase().includes(searchText));
		if (
			!possibleValues ||
			possibleValues.some(each => each.includes(searchText)) ||
			isKnownStatus(searchText)
		)
			return test;
		return {
			problem: unknownNameText(name, operand, possibleValues),
			unknownStatus: operand,
			test,
		};
	}
	if (kind === 'version' && (operator === '' || operator === '=')) {
		return createFieldTest(name, each => isVersionWithin(String(each), operand));
	}
	const compare = comparisonFrom(kind, operand);
	if (compare === undefined)
		return { problem: `${typedName} takes ${inputByKind[kind]}, not ${operand}` };
	return createFieldTest(name, each => satisfiesOperator(operator, compare(each)));
}

const fieldNames = Object.keys(fields);

function unknownNameText(kind: string, typedName: string, validNames: readonly string[]): string {
	const nearest = nearestName(typedName, validNames);
	const hint =
		nearest === undefined ? `Known: ${validNames.join(', ')}` : `Did you mean ${nearest}?`;
	return `No ${kind} “${typedName}”. ${hint}`;
}

/**
 * Creates a function that returns whether the platform's status word of any of these computers contains a text.
 */
export const isStatusAmong =
	(computers: Iterable<{ reading: FieldSource['reading'] }>): IsKnownStatus =>
	status => {
		for (const { reading } of computers) {
			if (reading.status?.toLowerCase().includes(status.toLowerCase())) return true;
		}
		return false;
	};

function createFieldTest(
	name: FieldName,
	matches: (value: string | number) => boolean,
): FilterTest {
	const { values } = fields[name];
	return (subject, now, account) => values(subject, now, account).some(matches);
}

const inputByKind: Readonly<Record<FieldKind, string>> = {
	text: 'a word',
	number: 'a number such as 80',
	version: 'a version such as 1.4',
	duration: 'a time such as 90s, 10m, 4h or 7d',
};

/**
 * Returns a function that compares a value with the operand. The result is negative if the value is smaller, and
 * positive if it is larger.
 */
function comparisonFrom(
	kind: FieldKind,
	operand: string,
): ((value: string | number) => number) | undefined {
	if (kind === 'version') {
		if (!/^\d/.test(operand)) return undefined;
		return value => compareVersions(String(value), operand);
	}
	const number = kind === 'duration' ? parseDuration(operand) : numberFrom(operand);
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

function numberFrom(text: string): number | undefined {
	const digits = text.replace(/%$/, '');
	return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}
