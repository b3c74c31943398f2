import { expect, test } from 'vitest';
import { bindings } from '../../source/keys/bindings.ts';
import { createDispatcher } from '../../source/keys/dispatcher.ts';
import { withKeyOverrides } from '../../source/keys/key-overrides.ts';

const own = (action: string, ...keys: readonly string[]) => ({ action, keys });

test('an action has the keys of the configuration instead of its default keys', () => {
	const dispatch = createDispatcher(
		withKeyOverrides(bindings, [own('stop', 'ctrl-x'), own('quit')]),
	);
	expect(dispatch('ctrl-x', 'fleet')).toEqual({ type: 'ask', operation: 'stop', key: 'ctrl-x' });
	expect(dispatch('x', 'fleet')).toBeUndefined();
	expect(dispatch('q', 'fleet')).toBeUndefined();
	expect(dispatch('ctrl-c', 'fleet')).toEqual({ type: 'quit', key: 'ctrl-c' });
});

test('an intent that asks for an operation has the configured key that was pressed', () => {
	const own = [
		{ action: 'copyId', keys: ['z'] },
		{ action: 'stop', keys: ['x', 'y'] },
		{ action: 'copyAddress', keys: ['Z'] },
		{ action: 'retry', keys: ['F', 'Y'] },
	];
	const dispatch = createDispatcher(withKeyOverrides(bindings, own));
	expect(dispatch('x', 'fleet')).toMatchObject({ operation: 'stop', key: 'x' });
	expect(dispatch('y', 'fleet')).toMatchObject({ operation: 'stop', key: 'y' });
	expect(dispatch('Y', 'fleet')).toEqual({ type: 'retry', key: 'Y' });
});

test('Esc always goes back, also if the configuration sets other keys for that action', () => {
	for (const keys of [['h'], ['h', 'escape'], []]) {
		const dispatch = createDispatcher(withKeyOverrides(bindings, [own('back', ...keys)]));
		for (const key of ['escape', ...keys]) {
			expect(dispatch(key, 'fleet')).toEqual({ type: 'move', move: { type: 'back' } });
		}
	}
});

test.each([
	[own('halt', 'x'), 'there is no action halt; use one of'],
	[own('stop', 's'), 'the key s is bound twice in fleet'],
	[own('stop', 'escape'), 'the key escape is bound twice in fleet'],
])('the program refuses the configured keys %j', (wish, message) => {
	expect(() => withKeyOverrides(bindings, [wish])).toThrow(
		expect.objectContaining({ message: expect.stringContaining(message) }),
	);
});

test('no two actions in the table of bindings have the same name', () => {
	const names = bindings.map(({ action }) => action);
	expect(new Set(names).size).toBe(names.length);
});
