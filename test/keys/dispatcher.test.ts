import type { Key } from 'ink';
import { expect, test } from 'vitest';
import type { Binding } from '../../source/keys/binding.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { createDispatcher } from '../../source/keys/dispatcher.ts';
import { keyNames } from '../../source/keys/Keyboard.tsx';

const quit: Binding = {
	action: 'quit',
	keys: ['q'],
	contexts: ['fleet'],
	intent: { type: 'quit', key: 'q' },
	help: 'quit',
};

test('no key of the monitor is bound to two intents in one context', () => {
	expect(() => createDispatcher(bindings)).not.toThrow();
});

test.each([
	['in one place', { ...quit, intent: { type: 'redraw' } as const }],
	['everywhere', { ...quit, contexts: ['everywhere'] as const }],
])('the dispatcher refuses a table of bindings that binds a key twice %s', (_, second) => {
	expect(() => createDispatcher([quit, second])).toThrow('the key q is bound twice in fleet');
});

test('a key has the intent of its context, and text fields insert every letter', () => {
	const dispatch = createDispatcher(bindings);
	expect(dispatch('q', 'fleet')).toEqual({ type: 'closeOrQuit', key: 'q' });
	expect(dispatch('q', 'log')).toEqual({ type: 'move', move: { type: 'close' } });
	expect(dispatch('q', 'filter')).toEqual({ type: 'edit', edit: { type: 'insert', text: 'q' } });
	expect(dispatch('space', 'filter')).toEqual({
		type: 'edit',
		edit: { type: 'insert', text: ' ' },
	});
	expect(dispatch('東', 'filter')).toEqual({
		type: 'edit',
		edit: { type: 'insert', text: '東' },
	});
	expect(dispatch('ctrl-c', 'filter')).toEqual({ type: 'quit', key: 'ctrl-c' });
	expect(dispatch('pagedown', 'filter')).toBeUndefined();
	expect(dispatch('Z', 'fleet')).toBeUndefined();
});

const none = {} as Key;

test.each([
	['j', none, ['j']],
	['jjk', none, ['j', 'j', 'k']],
	[' ', none, ['space']],
	['ab\r', none, ['a', 'b', 'enter']],
	['a\x7f\x15\x1b', none, ['a', 'backspace', 'ctrl-u', 'escape']],
	['', { ...none, downArrow: true }, ['down']],
	['', { ...none, return: true }, ['enter']],
	['l', { ...none, ctrl: true }, ['ctrl-l']],
	['', { ...none, escape: true, meta: true }, ['escape']],
	['', { ...none, tab: true, shift: true }, ['shift-tab']],
	['x', { ...none, meta: true }, ['alt-x']],
	['G', { ...none, shift: true }, ['G']],
	['j', { ...none, eventType: 'release' as const }, []],
])(
	'Ink’s key event with the input %j and the flags %j stands for the keys %j',
	(input, key, names) => {
		expect(keyNames(input, key)).toEqual(names);
	},
);
