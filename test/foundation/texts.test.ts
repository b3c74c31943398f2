import { getSystemErrorMap } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roughDurationText } from '../../source/foundation/duration.ts';
import { fileErrorText, pathErrorText, stateFileErrorText } from '../../source/foundation/error.ts';
import { nearestName } from '../../source/foundation/nearest-name.ts';
import { amountText, countText, rateText } from '../../source/foundation/number-text.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
	[48 * second, '48 s'],
	[80 * second, '1 min 20 s'],
	[24 * minute + 5 * second, '24 min'],
	[24 * minute + 50 * second, '25 min'],
	[3 * hour + 12 * minute + 20 * second, '3 h 12 min'],
	[11 * hour + 12 * minute, '11 h'],
])('an estimate of %i ms is rounded to what is known of it: %s', (milliseconds, text) => {
	expect(roughDurationText(milliseconds)).toBe(text);
});

test('counts have a separator for thousands, and amounts have cents as long as they fit into eight cells', () => {
	const counts = ['0', '996', '1,000', '10,000', '1,234,567'];
	expect([0, 996, 1000, 10_000, 1_234_567].map(countText)).toEqual(counts);
	const amounts = ['38.75', '-0.50', '1,234.56', '123,457', '12.3M'];
	expect([38.75, -0.5, 1234.56, 123_456.78, 12_345_678].map(amountText)).toEqual(amounts);
	fc.assert(
		fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), value => {
			expect(amountText(value).length).toBeLessThanOrEqual(8);
			expect(rateText(value / 1e3).length).toBeLessThanOrEqual(4);
		}),
	);
});

const names = [
	'url',
	'authUrl',
	'readOnly',
	'lockAfter',
	'passwordCommand',
	'colour',
	'a',
	'a2',
	'a3',
];

test.each([
	['readonly', 'readOnly'],
	['read_only', 'readOnly'],
	// Two swapped letters are one mistake.
	['redaOnly', 'readOnly'],
	['ulr', 'url'],
	['color', 'colour'],
	['passwordComand', 'passwordCommand'],
	// Of names that are equally near, the first one.
	['a1', 'a'],
	['frobnicate', undefined],
	['x'.repeat(1_000_000), undefined],
])('the suggestion for the misspelt name “%s” is “%s”', (typed, expected) => {
	expect(nearestName(typed, names)).toBe(expected);
});

const path = '/home/ada/state/journal.jsonl';

/** An error as Node throws it, with a message that names the code and the system call. */
function errorOf(code: string) {
	const [errno] = [...getSystemErrorMap()].find(([, [name]]) => name === code) ?? [];
	const error = new Error(`${code}: raw words of the system, open '${path}'`);
	return Object.assign(error, { code, errno, path });
}

test('an error of a file is told in the words of the system, with the name of the file unless it is the same for all', () => {
	expect(stateFileErrorText(errorOf('ENOSPC'))).toBe('no space left on device');
	const error = errorOf('EACCES');
	expect(stateFileErrorText(error)).toBe(`${path}: permission denied`);
	expect(pathErrorText('journal.jsonl', error)).toBe('journal.jsonl: permission denied');
	expect(fileErrorText(error)).toBe('permission denied');
	const own = new Error(`${path} belongs to another user`);
	for (const text of [stateFileErrorText(own), pathErrorText(path, own), fileErrorText(own)])
		expect(text).toBe(own.message);
});
