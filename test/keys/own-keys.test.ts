import { expect, test } from 'vitest';
import { bindings } from '../../source/keys/bindings.ts';
import { createDispatcher } from '../../source/keys/dispatcher.ts';
import { withOwnKeys } from '../../source/keys/own-keys.ts';

const own = (action: string, ...keys: readonly string[]) => ({ action, keys, line: 7 });

test('an action has the keys that a person gave it, and no others', () => {
	const dispatch = createDispatcher(withOwnKeys(bindings, [own('stop', 'ctrl-x'), own('quit')]));
	expect(dispatch('ctrl-x', 'fleet')).toEqual({ type: 'ask', operation: 'stop', key: 'ctrl-x' });
	expect(dispatch('x', 'fleet')).toBeUndefined();
	expect(dispatch('q', 'fleet')).toBeUndefined();
	expect(dispatch('ctrl-c', 'fleet')).toEqual({ type: 'quit', key: 'ctrl-c' });
});

test('of several keys the one that was pressed is the one that asked', () => {
	const own = [
		{ action: 'copyId', keys: ['z'], line: 7 },
		{ action: 'stop', keys: ['x', 'y'], line: 8 },
		{ action: 'copyAddress', keys: ['Z'], line: 9 },
		{ action: 'retry', keys: ['F', 'Y'], line: 10 },
	];
	const dispatch = createDispatcher(withOwnKeys(bindings, own));
	expect(dispatch('x', 'fleet')).toMatchObject({ operation: 'stop', key: 'x' });
	expect(dispatch('y', 'fleet')).toMatchObject({ operation: 'stop', key: 'y' });
	expect(dispatch('Y', 'fleet')).toEqual({ type: 'retry', key: 'Y' });
});

test('Esc goes back whatever else does, since the screen says so of every countdown', () => {
	for (const keys of [['h'], ['h', 'escape'], []]) {
		const dispatch = createDispatcher(withOwnKeys(bindings, [own('back', ...keys)]));
		for (const key of ['escape', ...keys]) {
			expect(dispatch(key, 'fleet')).toEqual({ type: 'move', move: { type: 'back' } });
		}
	}
});

test.each([
	[own('halt', 'x'), 'there is no action halt'],
	[own('stop', 's'), 'the key s is bound twice in fleet'],
	[own('stop', 'escape'), 'the key escape is bound twice in fleet'],
])('%j is refused with its line', (wish, message) => {
	expect(() => withOwnKeys(bindings, [wish])).toThrow(
		expect.objectContaining({ line: 7, message: expect.stringContaining(message) }),
	);
});

test('every action has a name of its own', () => {
	const names = bindings.map(({ action }) => action);
	expect(new Set(names).size).toBe(names.length);
});
