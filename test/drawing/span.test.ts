import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	partsWithEllipsis,
	type Span,
	widthOf,
	wrapSpans,
	wrapText,
} from '../../source/drawing/span.ts';
import { promptWithInput } from '../../source/drawing/typed-line.ts';
import { typedLineFrom } from '../../source/screen/typed-line.ts';
import { anyGrapheme } from '../arbitraries/characters.ts';
import { theme } from '../sample-theme.ts';

const shown = (prompt: string, typed: string, width: number) =>
	promptWithInput([[prompt]], [typedLineFrom(typed)], width, theme)
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
	const text = fc.string({ unit: anyGrapheme, maxLength: 30 });
	fc.assert(
		fc.property(text, text, fc.integer({ min: 12, max: 60 }), (prompt, typed, width) => {
			const spans: readonly Span[] = promptWithInput(
				[[prompt]],
				[typedLineFrom(typed)],
				width,
				theme,
			);
			expect(widthOf(spans, theme)).toBeLessThanOrEqual(width);
			const [ending = ''] = typed === '' ? [] : (spans.at(-2) ?? []);
			expect(typed.endsWith(ending)).toBe(true);
		}),
	);
});

test.each([
	[0, 20, 'Port: ▏8080'],
	[2, 20, 'Port: 80▏80'],
	[0, 11, 'Port: ▏8080'],
])('the caret stands at place %i of the typed text in %i cells', (caret, width, expected) => {
	const spans = promptWithInput([['Port: ']], [{ text: '8080', caret }], width, theme);
	expect(spans.map(([text]) => text).join('')).toBe(expected);
});

test('a long typed text is cut around its caret, with an ellipsis at each end that is cut', () => {
	const text = 'abcdefghijklmnopqrstuvwxyz';
	const ends: string[] = [];
	for (let caret = 0; caret <= text.length; caret += 1) {
		const spans = promptWithInput([], [{ text, caret }], 13, theme);
		const drawn = spans.map(([each]) => each).join('');
		expect(widthOf(spans, theme), drawn).toBeLessThanOrEqual(13);
		expect(drawn).toContain(`${text.slice(Math.max(0, caret - 1), caret)}▏`);
		if (caret < text.length) expect(drawn).toContain(`▏${text[caret]}`);
		ends.push(`${drawn.at(0)}${drawn.at(-1)}`);
	}
	expect(ends.filter((each, at) => each !== ends[at - 1])).toEqual(['▏…', 'a…', '……', '…z', '…▏']);
});

test('a wrapped text never separates a number from its unit, nor the two parts of a duration', () => {
	const text =
		'The 69.77 credits left then last 2 d 21 h instead of 3 d, at 5 to 15 s each for 1 min 20 s.';
	for (let width = 12; width < 100; width += 1) {
		const lines = wrapText(text, width, theme);
		expect(lines.join(' ')).toBe(text);
		for (const duration of ['2 d 21 h', '3 d,', '15 s', '1 min 20 s'])
			expect(
				lines.some(line => line.includes(duration)),
				`${width} ${duration}`,
			).toBe(true);
		for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
	}
	expect(wrapText('box 2 stopped 5 days', 9, theme)).toEqual(['box 2', 'stopped 5', 'days']);
});

test('wrapped spans keep their words and their tones', () => {
	const spans: readonly Span[] = [
		['No computers yet. '],
		['n', 'accent'],
		[' creates one.', 'faint'],
	];
	expect(wrapSpans(spans, 40, theme)).toEqual([spans]);
	expect(wrapSpans(spans, 27, theme)).toEqual([
		[['No computers yet. '], ['n', 'accent'], [' creates', 'faint']],
		[['one.', 'faint']],
	]);
	expect(wrapSpans(spans, 19, theme)).toEqual([
		[['No computers yet. '], ['n', 'accent']],
		[['creates one.', 'faint']],
	]);
});

test('parts that are left out leave an ellipsis', () => {
	const parts = ['t trouble', 'n name', 's status'].map((text): readonly Span[] => [[text]]);
	const shownIn = (width: number) =>
		partsWithEllipsis(parts, '  ', width, theme)
			.map(([text]) => text)
			.join('');
	expect(shownIn(27)).toBe('t trouble  n name  s status');
	expect(shownIn(26)).toBe('t trouble  n name  …');
	expect(shownIn(19)).toBe('t trouble  …');
});
