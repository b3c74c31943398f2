import type { tokenize } from '@alcalzone/ansi-tokenize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type wrapAnsi from 'wrap-ansi';
import { anyCharacter, anyGrapheme } from '../arbitraries/characters.ts';
import { runs } from '../properties/runs.ts';
import { styledText } from '../properties/styled-text.ts';
import { loadBoth } from './both.ts';

const text = fc.oneof(
	styledText({ maxLength: 24, hasLines: true }),
	fc.string({ unit: anyCharacter, maxLength: 12 }),
	fc.string({ unit: anyGrapheme, maxLength: 12 }),
);

const columns = fc.integer({ min: 1, max: 20 });

test('wrap-ansi with the replaced segmenter wraps text like the original', async () => {
	const { original, replaced } = await loadBoth<{ default: typeof wrapAnsi }>('wrap-ansi/index.js');
	const options = fc.record({ hard: fc.boolean(), trim: fc.boolean(), wordWrap: fc.boolean() });
	fc.assert(
		fc.property(text, columns, options, (text, columns, options) => {
			expect(replaced.default(text, columns, options)).toBe(
				original.default(text, columns, options),
			);
		}),
		runs(150),
	);
});

test.each(['slice-ansi/tokenize-ansi.js', '@alcalzone/ansi-tokenize/build/tokenize.js'])(
	'%s with the cached segmenter splits text like the original',
	async path => {
		type Tokens = { default?: typeof tokenize; tokenize?: typeof tokenize };
		const { original, replaced } = await loadBoth<Tokens>(path);
		const tokensOf = (module: Tokens, text: string) =>
			(module.default ?? module.tokenize)?.(text) ?? [];
		let tokens = 0;
		fc.assert(
			fc.property(text, text => {
				const expected = tokensOf(original, text);
				tokens += expected.length;
				expect(tokensOf(replaced, text)).toEqual(expected);
			}),
			runs(150),
		);
		expect(tokens).toBeGreaterThan(400);
	},
);

test('Ink with the replaced segmenter writes a changed line like the original', async () => {
	type LineUpdate = { default: (before: string, after: string, columns?: number) => string };
	const { original, replaced } = await loadBoth<LineUpdate>('ink/build/line-update.js');
	const line = styledText({ maxLength: 16, hasLines: false });
	fc.assert(
		fc.property(line, line, line, columns, (same, before, after, columns) => {
			const lines = [same + before, same + after, columns] as const;
			expect(replaced.default(...lines)).toBe(original.default(...lines));
		}),
		runs(150),
	);
});
