import { expect, test } from 'vitest';
import { nearestName } from '../../source/fleet/nearest-name.ts';

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
	['frobnicate', undefined],
	['', undefined],
	['x', undefined],
])('%s → %s', (given, meant) => {
	expect(nearestName(given, names)).toBe(meant);
});

test('two letters swapped are one slip, so the longer way round is not taken', () => {
	expect(nearestName('satrt', ['stat', 'start'])).toBe('start');
});

test('a name of any length is answered at once', () => {
	expect(nearestName('x'.repeat(1_000_000), names)).toBeUndefined();
});
