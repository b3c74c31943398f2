import { parseDuration } from './duration.ts';
import { type FieldKind, type FieldName, type FieldSource, fieldFrom, fields } from './field.ts';
import { nearestName } from './nearest-name.ts';
import { compareVersions } from './version.ts';

export type FilterTest = (subject: FieldSource, now: number) => boolean;

/** A parsed filter. A filter that is only half typed has a problem instead of a test. */
export type Filter = {
	test: FilterTest;
	problem?: string;
	/** The unknown status, when it is the only problem. The platform may use this status later. */
	unknownStatus?: string;
};

type Problem = { problem: string; unknownStatus?: string; test?: FilterTest };

/** Returns whether any computer has a status that contains the text. */
export type IsKnownStatus = (status: string) => boolean;

const matchesAll: FilterTest = () => true;

/**
 * Parses a filter. A word matches the name, id or address. `field:value` matches one field; numbers, times and
 * versions can be compared with `<`, `>`, `<=` or `>=`. `-` negates a term. All terms of a group must match,
 * and `OR` separates groups: `status:stopped version:<1.4 OR -name:test`.
 */
export function filterFrom(text: string, isKnownStatus: IsKnownStatus = () => false): Filter {
	const groups: FilterTest[][] = [[]];
	let wrong: Problem | undefined;
	for (const word of text.match(/-?\S*"[^"]*"?|\S+/g) ?? []) {
		if (word === 'OR') {
			groups.push([]);
			continue;
		}
		const term = termFrom(word, isKnownStatus);
		if (typeof term !== 'function') wrong ??= term;
		const test = typeof term === 'function' ? term : term.test;
		if (test) groups.at(-1)?.push(test);
	}
	const filled = groups.filter(group => group.length > 0);
	if (groups.length > 1 && filled.length < groups.length)
		wrong ??= { problem: 'OR needs a term on both sides' };
	const test: FilterTest =
		filled.length === 0
			? matchesAll
			: (subject, now) => filled.some(group => group.every(each => each(subject, now)));
	return { ...wrong, test };
}

function termFrom(word: string, isKnownStatus: IsKnownStatus): FilterTest | Problem {
	const isNot = word.startsWith('-') && word.length > 1;
	const [, name, value] = /^([^:"]+):(.*)$/s.exec(isNot ? word.slice(1) : word) ?? [];
	const test =
		name === undefined || value === undefined
			? wordTest(unquoted(isNot ? word.slice(1) : word))
			: fieldTest(name, unquoted(value), isKnownStatus);
	if (typeof test !== 'function' || !isNot) return test;
	return (subject, now) => !test(subject, now);
}

const unquoted = (text: string) => text.replaceAll('"', '');

/** The test runs over the whole fleet at each key, so it allocates no objects. */
function wordTest(word: string): FilterTest {
	const pattern = new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
	return ({ reading: { name, id, address } }) =>
		pattern.test(name ?? id) || pattern.test(id) || pattern.test(address ?? '');
}

function fieldTest(
	word: string,
	value: string,
	isKnownStatus: IsKnownStatus,
): FilterTest | Problem {
	const name = fieldFrom(word);
	if (name === undefined) return { problem: unknownNameText('field', word, fieldNames) };
	const { kind, words } = fields[name];
	const [, sign = '', operand = ''] = /^([<>]=?|=)?(.*)$/s.exec(value) ?? [];
	if (operand === '') return { problem: `${word} takes ${expectedInput[kind]}` };
	if (kind === 'text') {
		if (sign !== '' && sign !== '=') return { problem: `${word} cannot be compared with ${sign}` };
		const wanted = operand.toLowerCase();
		const test = fieldMatcher(name, each => String(each).toLowerCase().includes(wanted));
		if (!words || words.some(each => each.includes(wanted)) || isKnownStatus(wanted)) return test;
		return { problem: unknownNameText(name, operand, words), unknownStatus: operand, test };
	}
	if (kind === 'version' && (sign === '' || sign === '=')) {
		return fieldMatcher(name, each => isVersionWithin(String(each), operand));
	}
	const order = comparisonFrom(kind, operand);
	if (order === undefined)
		return { problem: `${word} takes ${expectedInput[kind]}, not ${operand}` };
	return fieldMatcher(name, each => satisfiesSign(sign, order(each)));
}

const fieldNames = Object.keys(fields);

function unknownNameText(what: string, given: string, names: readonly string[]): string {
	const nearest = nearestName(given, names);
	const hint = nearest === undefined ? `Known: ${names.join(', ')}` : `Did you mean ${nearest}?`;
	return `No ${what} “${given}”. ${hint}`;
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

function fieldMatcher(name: FieldName, test: (value: string | number) => boolean): FilterTest {
	const { values } = fields[name];
	return (subject, now) => values(subject, now).some(test);
}

const expectedInput: Readonly<Record<FieldKind, string>> = {
	text: 'a word',
	number: 'a number such as 80',
	version: 'a version such as 1.4',
	duration: 'a time such as 90s, 10m, 4h or 7d',
};

/** Returns a function that compares a value with the operand: its result is below 0, 0 or above 0. */
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

function satisfiesSign(sign: string, order: number): boolean {
	if (sign === '<') return order < 0;
	if (sign === '>') return order > 0;
	if (sign === '<=') return order <= 0;
	return sign === '>=' ? order >= 0 : Math.abs(order) < 0.5;
}

/** `1.4` matches every 1.4.x. */
function isVersionWithin(version: string, wanted: string): boolean {
	return version === wanted || version.startsWith(wanted.endsWith('.') ? wanted : `${wanted}.`);
}

function numberFrom(text: string): number | undefined {
	const digits = text.replace(/%$/, '');
	return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}
