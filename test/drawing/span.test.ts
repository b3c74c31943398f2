import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptWithInput, type Span, widthOf } from '../../source/drawing/span.ts';
import { theme } from '../sample-theme.ts';

const shown = (prompt: string, typed: string, width: number) =>
	promptWithInput([[prompt]], [typed], width, theme)
		.map(([text]) => text)
		.join('');

test.each([
	['Port: ', '8080', 20, 'Port: 8080▏'],
	['Port: ', '8080', 11, 'Port: 8080▏'],
	['Name: ', 'a-long-name', 16, 'Name: …ong-name▏'],
	['Type atlas to delete it: ', 'atlas', 16, 'Type atl… atlas▏'],
	['Name: ', '東京の海', 14, 'Nam… 東京の海▏'],
])(
	'the prompt “%s” with the typed text “%s” fits into %i cells',
	(prompt, typed, width, expected) => {
		expect(shown(prompt, typed, width)).toBe(expected);
	},
);

test('a prompt with typed text never exceeds its width and shows the end of the text', () => {
	const text = fc.string({ unit: 'grapheme', maxLength: 30 });
	fc.assert(
		fc.property(text, text, fc.integer({ min: 12, max: 60 }), (prompt, typed, width) => {
			const spans: readonly Span[] = promptWithInput([[prompt]], [typed], width, theme);
			expect(widthOf(spans, theme)).toBeLessThanOrEqual(width);
			const [ending = ''] = spans.at(-2) ?? [];
			expect(typed.endsWith(ending.replace(theme.glyphs.ellipsis, ''))).toBe(true);
		}),
	);
});
