import { expect, test } from 'vitest';
import { nearestName } from '../../source/foundation/nearest-name.ts';

const names = ['url', 'authUrl', 'readOnly', 'lockAfter', 'passwordCommand', 'colour'];

test.each([
	['readonly', 'readOnly'],
	['read_only', 'readOnly'],
	['redaOnly', 'readOnly'],
	['color', 'colour'],
	['lock-after', 'lockAfter'],
	['passwordComand', 'passwordCommand'],
	['auth_url', 'authUrl'],
	['ulr', 'url'],
	['uri', 'url'],
	['frobnicate', 'none'],
	['', 'none'],
	['x', 'none'],
])('the suggestion for the misspelt name “%s” is “%s”', (typed, expected) => {
	expect(nearestName(typed, names) ?? 'none').toBe(expected);
});

test('two swapped letters of a name count as one mistake', () => {
	expect(nearestName('satrt', ['stat', 'start'])).toBe('start');
});

test('of two names that are equally near, the first one is suggested', () => {
	expect(nearestName('a1', ['a', 'a12', 'a2', 'a3'])).toBe('a');
	expect(nearestName('stat', ['stats', 'start'])).toBe('stats');
});

test('no suggestion is searched for a very long name', () => {
	expect(nearestName('x'.repeat(1_000_000), names)).toBeUndefined();
});
