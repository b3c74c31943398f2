import { describe, expect, test } from 'vitest';
import { createTermCompleter } from '../../source/foundation/term-completion.ts';

type Ship = { owner: string; kinds: readonly string[]; tons: number };

const ships: readonly Ship[] = [
	{ owner: 'Norma', kinds: ['tug', 'steam'], tons: 90 },
	{ owner: 'Atlas', kinds: ['tug'], tons: 20 },
	{ owner: 'Old Salt', kinds: ['ferry'], tons: 900 },
];

const complete = createTermCompleter(ships, {
	textOf: ({ owner }) => owner,
	fields: { owner: ({ owner }) => [owner], kind: ({ kinds }) => kinds, tons: ({ tons }) => [tons] },
});

const wordsFor = (text: string, caret = text.length) =>
	complete({ text, caret }).completions.map(({ word }) => word);

describe('the completion of a filter of words and fields', () => {
	test('offers the fields that begin with the word', () => {
		expect(wordsFor('k')).toEqual(['kind:']);
		expect(wordsFor('')).toEqual(['owner:', 'kind:', 'tons:']);
	});

	test('offers the values of a field that the items have, the most frequent first', () => {
		expect(wordsFor('kind:')).toEqual(['kind:tug', 'kind:steam', 'kind:ferry']);
		expect(wordsFor('-KIND:f')).toEqual(['-kind:ferry']);
		expect(wordsFor('owner:')).toEqual(['owner:norma', 'owner:atlas']);
		expect(wordsFor('tons:')).toEqual([]);
	});

	test('finds a value from a word of two letters', () => {
		expect(wordsFor('fe')).toEqual(['kind:ferry']);
		expect(wordsFor('f')).toEqual([]);
	});

	test('offers the most similar field for an unknown field', () => {
		expect(wordsFor('kinds:tug')).toEqual(['kind:tug']);
	});

	test('replaces only the word at the caret', () => {
		expect(complete({ text: 'norma ki -x', caret: 8 })).toEqual({
			from: 6,
			to: 8,
			completions: [{ word: 'kind:', count: undefined }],
		});
	});
});
