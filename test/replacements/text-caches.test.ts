import fc from 'fast-check';
import { expect, test } from 'vitest';
import { styledText } from '../properties/styled-text.ts';
import { loadBoth } from './both.ts';

type Size = { width: number; height: number };

const text = styledText({ maxLength: 20, hasLines: true });

// More texts than the cache keeps; some come again after they were dropped.
const texts = fc
	.array(text, { minLength: 300, maxLength: 320 })
	.map(texts => [...texts, ...texts.slice(0, 60), ...texts.slice(-60)]);

test('Ink with the smaller text cache measures texts like the original, also those that the cache has dropped', async () => {
	const { original, replaced } = await loadBoth<{ default: (text: string) => Size }>(
		'ink/build/measure-text.js',
	);
	fc.assert(
		fc.property(texts, texts => {
			for (const text of texts) expect(replaced.default(text)).toEqual(original.default(text));
		}),
		{ numRuns: 3 },
	);
});

test('Ink with the smaller text cache wraps texts like the original, also those that the cache has dropped', async () => {
	type Wrap = (text: string, width: number, how: string) => string;
	const { original, replaced } = await loadBoth<{ default: Wrap }>('ink/build/wrap-text.js');
	const ways = ['wrap', 'hard', 'truncate', 'truncate-middle', 'truncate-start'];
	fc.assert(
		fc.property(
			texts,
			fc.integer({ min: 0, max: 12 }),
			fc.constantFrom(...ways),
			(texts, width, how) => {
				for (const text of texts) {
					expect(replaced.default(text, width, how)).toBe(original.default(text, width, how));
				}
			},
		),
		{ numRuns: 5 },
	);
});

test('Ink’s text cache is limited to 250 wrapped texts', async () => {
	type Wrapping = {
		default: (text: string, width: number, how: string) => string;
		wrapTextCache: Iterable<unknown>;
	};
	const { replaced } = await loadBoth<Wrapping>('ink/build/wrap-text.js');
	for (let count = 0; count < 2000; count++) replaced.default(`age ${count}`, 10, 'wrap');
	// A QuickLRU holds up to twice its size.
	expect([...replaced.wrapTextCache].length).toBeLessThanOrEqual(500);
});
