import fc from 'fast-check';
import { expect, test } from 'vitest';
import { glyphs, styledText } from '../arbitraries/styled-text.ts';
import { runs } from '../runs.ts';
import { loadBoth } from './both.ts';

type StringWidth = { default: (text: string) => number };

const { original, replaced } = await loadBoth<StringWidth>('string-width/index.js');

test('every text is as wide as the package says, with or without styles and links', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				styledText({ maxLength: 8, hasLines: false }),
				fc.string({ unit: glyphs }),
				fc.string(),
			),
			text => {
				expect(replaced.default(text)).toBe(original.default(text));
			},
		),
		runs(2_000),
	);
});
