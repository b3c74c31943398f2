import { describe, expect, test } from 'vitest';
import {
	type Binding,
	helpHeadings,
	isTextContext,
	type KeyContext,
	keyContexts,
	textContexts,
} from '../../source/keys/binding.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { createDispatcher, letterOf } from '../../source/keys/dispatcher.ts';
import { withKeyOverrides } from '../../source/keys/key-overrides.ts';
import { openQuestion } from '../monitor/dialog-keys.ts';
import { ask, atlas } from '../operations/ask-question.ts';

const own = (action: string, ...keys: readonly string[]) => ({ action, keys, line: 3 });

const rebound = (...overrides: readonly ReturnType<typeof own>[]) =>
	withKeyOverrides(bindings, overrides);

const contextsOf = ({ contexts }: Binding) =>
	keyContexts.filter(context => contexts.includes(context) || contexts.includes('everywhere'));

const dialogBindings = bindings.filter(
	({ intent }) => intent.type === 'edit' || intent.type === 'answer',
);

test.each(dialogBindings)(
	'the configuration can set another key for the action $action',
	binding => {
		const dispatch = createDispatcher(rebound(own(binding.action, 'f9')));
		for (const context of contextsOf(binding)) {
			expect(dispatch('f9', context)).toMatchObject({ type: binding.intent.type });
			for (const key of binding.keys) {
				const isFixed = binding.fixedKeys?.includes(key) ?? false;
				expect(dispatch(key, context) !== undefined, `${key} in ${context}`).toBe(isFixed);
			}
		}
	},
);

test('every action has a heading in the help', () => {
	const headings = helpHeadings.map(([context]) => context);
	for (const { action, contexts } of bindings) {
		const isListed = contexts.some(context => headings.includes(context));
		expect(isListed, action).toBe(true);
	}
});

test('a key without a binding does nothing, except that a letter is typed into a text field', () => {
	const dispatch = createDispatcher([]);
	const keys = [...new Set(bindings.flatMap(each => each.keys)), 'é', 'space', 'f12', 'ctrl-x'];
	const contexts: readonly KeyContext[] = keyContexts;
	for (const context of contexts) {
		const expected = keys.map(key => {
			const text = isTextContext(context) ? letterOf(key) : undefined;
			return text === undefined ? undefined : { type: 'edit', edit: { type: 'insert', text } };
		});
		expect(
			keys.map(key => dispatch(key, context)),
			context,
		).toEqual(expected);
	}
});

test('a text field accepts every letter, also one that the configuration binds everywhere', () => {
	const dispatch = createDispatcher(rebound(own('redraw', 'Z'), own('back', 'h')));
	for (const context of textContexts) {
		for (const text of ['Z', 'h'])
			expect(dispatch(text, context)).toEqual({ type: 'edit', edit: { type: 'insert', text } });
	}
	expect(dispatch('Z', 'fleet')).toEqual({ type: 'redraw' });
});

test.each([
	[own('eraseWord', 'w'), 'the key w of eraseWord types a letter in text fields'],
	[own('yes', 'enter'), 'Enter alone never says yes to a question'],
	[own('no', 'y'), 'the key y is bound twice in question'],
	[own('eraseToEnd', 'ctrl-u'), 'the key ctrl-u is bound twice in filter'],
])(
	'the program refuses the configured keys %j, which would make a dialog unusable',
	(override, message) => {
		expect(() => rebound(override)).toThrow(message);
	},
);

describe('the key that says yes', () => {
	const table = rebound(own('yes', 'j'));

	test('is the first configured key', () => {
		const { press, answered } = openQuestion(ask('stop'), { bindings: table });
		press('y', 'Y');
		expect(answered).toEqual([]);
		press('j');
		expect(answered).toHaveLength(1);
	});

	test('is the next configured key if the first one opened the question', () => {
		const question = ask('stop', [atlas.id], { openingKey: 'j' });
		const { press, answered } = openQuestion(question, { bindings: table });
		press('j', 'Y');
		expect(answered).toEqual([]);
		press('y');
		expect(answered).toHaveLength(1);
	});
});
