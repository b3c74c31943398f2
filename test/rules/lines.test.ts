import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitList, type Part, partsThatFit } from '../../source/lines/parts.ts';
import { spellOut } from '../../source/lines/print.ts';
import { type Span, textOf, widthOf, wrap, wrapText } from '../../source/lines/span.ts';
import { createTheme, linkTo, type Tone } from '../../source/lines/theme.ts';
import { createTimeFormatter } from '../../source/lines/time-text.ts';
import { typedLine } from '../../source/lines/typed.ts';
import {
	type CaretMotion,
	foundLine,
	type HistoryWalk,
	maxHistoryLines,
	recalledLine,
	type TypedLine,
	typedLineFrom,
	withEdit,
	withLineEntered,
} from '../../source/views/look/typed-line.ts';
import { anyGrapheme } from '../arbitraries/characters.ts';

const shown = (prompt: string, typed: string, width: number) =>
	textOf(typedLine([[prompt]], typedLineFrom(typed), width));

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
			const spans = typedLine([[prompt]], typedLineFrom(typed), width);
			expect(widthOf(spans)).toBeLessThanOrEqual(width);
			const before = textOf(spans.slice(0, -2));
			expect(before.endsWith(typed.slice(-1))).toBe(true);
		}),
	);
});

test.each([
	[0, 20, 'Port: ▏8080'],
	[2, 20, 'Port: 80▏80'],
	[0, 11, 'Port: ▏8080'],
])('the caret stands at place %i of the typed text in %i cells', (caret, width, expected) => {
	expect(textOf(typedLine([['Port: ']], { text: '8080', caret }, width))).toBe(expected);
});

test('a long typed text is cut around its caret, with an ellipsis at each end that is cut', () => {
	const text = 'abcdefghijklmnopqrstuvwxyz';
	const ends: string[] = [];
	for (let caret = 0; caret <= text.length; caret += 1) {
		const spans = typedLine([], { text, caret }, 13);
		const drawn = textOf(spans);
		expect(widthOf(spans), drawn).toBeLessThanOrEqual(13);
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
		const lines = wrapText(text, width);
		expect(lines.join(' ')).toBe(text);
		for (const duration of ['2 d 21 h', '3 d,', '15 s', '1 min 20 s'])
			expect(
				lines.some(line => line.includes(duration)),
				`${width} ${duration}`,
			).toBe(true);
		for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
	}
	expect(wrapText('box 2 stopped 5 days', 9)).toEqual(['box 2', 'stopped 5', 'days']);
});

test('wrapped spans keep their words and their tones', () => {
	const spans: readonly Span[] = [
		['No computers yet. '],
		['n', 'accent'],
		[' creates one.', 'faint'],
	];
	expect(wrap(spans, 40)).toEqual([spans]);
	expect(wrap(spans, 27)).toEqual([
		[['No computers yet. '], ['n', 'accent'], [' creates', 'faint']],
		[['one.', 'faint']],
	]);
	expect(wrap(spans, 19)).toEqual([
		[['No computers yet. '], ['n', 'accent']],
		[['creates one.', 'faint']],
	]);
});

test('parts that are left out leave an ellipsis', () => {
	const parts = ['t trouble', 'n name', 's status'].map((text): readonly Span[] => [[text]]);
	const shownIn = (width: number) => textOf(fitList(parts, width, '  '));
	expect(shownIn(27)).toBe('t trouble  n name  s status');
	expect(shownIn(26)).toBe('t trouble  n name  …');
	expect(shownIn(19)).toBe('t trouble  …');
});

test('parts leave whole from the highest number, and one with a least width is cut first', () => {
	const parts: readonly Part[] = [
		{ drop: 0, spans: [['Stopping']] },
		{ drop: 2, spans: [[' atlas']] },
		{ drop: 1, min: 4, spans: [[' in a minute']] },
	];
	const shownIn = (width: number) =>
		partsThatFit(parts, width, '')
			.map(({ spans }) => textOf(spans))
			.join('');
	expect(shownIn(26)).toBe('Stopping atlas in a minute');
	expect(shownIn(25)).toBe('Stopping atlas in a minu…');
	expect(shownIn(18)).toBe('Stopping atlas in…');
	expect(shownIn(17)).toBe('Stopping in a mi…');
	expect(shownIn(11)).toBe('Stopping');
	expect(shownIn(5)).toBe('Stop…');
});

test.each([
	[
		'credits 71.03 \u22121.01/h 2 d 22 h left',
		'credits 71.03, minus 1.01 an hour, 2 days 22 hours left',
	],
	['\u22481.01/h \u2248 3 d left', 'about 1.01 an hour, about 3 days left'],
	['Burn rate \u22481.01/h', 'Burn rate about 1.01 an hour'],
	['ports 8080', 'ports 8080'],
	['ports 8080 5173 3000', 'ports 8080, 5173 and 3000'],
	['web 80 443 failed on 27 2026', 'web 80 443 failed on 27 2026'],
	['2026-11-04 07:26', '2026-11-04 07:26'],
	['Esc cancels', 'Escape cancels'],
])('“%s” is spoken as “%s”', (text, spoken) => {
	expect(spellOut(text)).toBe(spoken);
});

describe('times', () => {
	const hour = 3_600_000;
	const textsIn = (isCoarse: boolean) => {
		const { age, compactDuration, duration } = createTimeFormatter(isCoarse);
		return [
			[-4000, 4000, 59_000, 61_000].map(age),
			[59_999, 60_000, 3 * hour].map(compactDuration),
			[4000, 184_000, 3 * hour].map(duration),
		];
	};
	test('are shown to the second', () => {
		expect(textsIn(false)).toEqual([
			['0s', '4s', '59s', '1m'],
			['59s', '1m', '3h 0m'],
			['4 s', '3 min 4 s', '3 h'],
		]);
	});
	test('are shown to the minute on a slow line', () => {
		expect(textsIn(true)).toEqual([
			['<1m', '<1m', '<1m', '1m'],
			['<1m', '1m', '3h 0m'],
			['<1 min', '3 min', '3 h'],
		]);
	});
});

test('a web address becomes a terminal link', () => {
	const url = 'https://example.com/a?b=c#d';
	expect(linkTo('a', url)).toBe(`\x1b]8;;${url}\x1b\\a\x1b]8;;\x1b\\`);
});

test.each([
	'javascript:alert(1)',
	'file:///etc/passwd',
	'https://example.com/\x1b\\evil',
	'https://example.com/\x07',
	'https://example.com/with space',
	'https://münchen.example',
	'',
])('the address %j stays plain text and does not become a terminal link', url => {
	expect(linkTo('text', url)).toBe('text');
});

/** Returns the luminance of one of the 256 colours beyond the first 16, which terminals agree on. */
function luminanceOf(colour: number): number {
	const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
	const grey = 8 + 10 * (colour - 232);
	const cube = colour - 16;
	const channels =
		colour >= 232
			? [grey, grey, grey]
			: [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level);
	const [red = 0, green = 0, blue = 0] = channels.map(channel => {
		const share = channel / 255;
		return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('every colour has a contrast of at least 3:1 on white in the light theme, also the cells of the map', () => {
	const light = createTheme({ colourBits: 8, background: 'light', hasUnicode: true });
	const meanings = 'accent faint good busy bad usual idle old doubt here';
	const tones = meanings.split(' ') as readonly Tone[];
	const colours = tones.map(tone => Number(/38;5;(\d+)/.exec(light.paint(tone, 'x'))?.[1]));
	const contrasts = colours.map(colour => 1.05 / (luminanceOf(colour) + 0.05));
	for (const [at, contrast] of contrasts.entries())
		expect(contrast, tones[at]).toBeGreaterThanOrEqual(3);
	expect(new Set(colours.slice(5)).size, 'the cells of the map differ').toBe(5);
});

describe('typed line', () => {
	/** Writes a line as its text with the caret in it, such as `at|las`. */
	const shown = ({ text, caret }: TypedLine) => `${text.slice(0, caret)}|${text.slice(caret)}`;

	function lineFrom(drawn: string): TypedLine {
		const caret = drawn.indexOf('|');
		return { text: drawn.replace('|', ''), caret };
	}

	test.each<[from: string, to: CaretMotion, moved: string, erased: string]>([
		['one two| three', 'left', 'one tw|o three', 'one tw| three'],
		['one two| three', 'right', 'one two |three', 'one two|three'],
		['one two| three', 'wordLeft', 'one |two three', 'one | three'],
		['one two| three', 'wordRight', 'one two three|', 'one two|'],
		['one two| three', 'lineStart', '|one two three', '| three'],
		['one two| three', 'lineEnd', 'one two three|', 'one two|'],
		['one two  |', 'wordLeft', 'one |two  ', 'one |'],
		['|one', 'left', '|one', '|one'],
		['one|', 'right', 'one|', 'one|'],
		['a👩‍👩‍👧|b', 'left', 'a|👩‍👩‍👧b', 'a|b'],
		['a|👩‍👩‍👧b', 'right', 'a👩‍👩‍👧|b', 'a|b'],
	])(
		'in “%s”, the caret motion “%s” leads to “%s”, and erasing by the same motion leads to “%s”',
		(from, to, moved, erased) => {
			expect(shown(withEdit(lineFrom(from), { type: 'move', to }))).toBe(moved);
			expect(shown(withEdit(lineFrom(from), { type: 'erase', to }))).toBe(erased);
		},
	);

	test('text is inserted at the caret, which then stands after it', () => {
		for (const type of ['insert', 'paste'] as const)
			expect(shown(withEdit(lineFrom('at|s'), { type, text: 'la' }))).toBe('atla|s');
	});

	test('the caret never leaves the text, and no edit divides a character', () => {
		const motion = fc.constantFrom<CaretMotion>(
			'left',
			'right',
			'wordLeft',
			'wordRight',
			'lineStart',
			'lineEnd',
		);
		const edit = fc.oneof(
			fc.record({ type: fc.constantFrom('move' as const, 'erase' as const), to: motion }),
			fc.record({ type: fc.constant('insert' as const), text: fc.string({ unit: anyGrapheme }) }),
		);
		fc.assert(
			fc.property(fc.string({ unit: anyGrapheme }), fc.array(edit), (text, edits) => {
				const { text: after, caret } = edits.reduce(withEdit, typedLineFrom(text));
				expect(caret).toBeGreaterThanOrEqual(0);
				expect(caret).toBeLessThanOrEqual(after.length);
				expect(after.slice(0, caret)).not.toMatch(/\p{Surrogate}/u);
				expect(after).not.toMatch(/\p{Surrogate}/u);
			}),
		);
	});

	const lines = ['status:error', 'atlas', 'cpu:>80'];

	/** Walks through the history, and returns the text after each step; null where there is nothing further. */
	function walk(directions: readonly (1 | -1)[], draft = 'at') {
		let line: TypedLine = typedLineFrom(draft);
		let recall: HistoryWalk | undefined;
		return directions.map(direction => {
			const next = recalledLine(lines, line, recall, direction);
			if (!next) return null;
			({ line, assist: recall } = next);
			return line.text;
		});
	}

	test('the history leads to older lines, and back to the line that was typed before', () => {
		expect(walk([-1, -1, -1, -1])).toEqual(['cpu:>80', 'atlas', 'status:error', null]);
		expect(walk([-1, -1, 1, 1, 1])).toEqual(['cpu:>80', 'atlas', 'cpu:>80', 'at', null]);
		expect(walk([1])).toEqual([null]);
		expect(recalledLine([], typedLineFrom('at'), undefined, -1)).toBeUndefined();
	});

	test('a line that is entered again moves to the end, and an empty line is not kept', () => {
		const histories = { filter: lines };
		expect(withLineEntered(histories, 'filter', ' atlas ')['filter']).toEqual([
			...['status:error', 'cpu:>80', 'atlas'],
		]);
		expect(withLineEntered(histories, 'filter', ' ')).toBe(histories);
		expect(withLineEntered(histories, 'port', '8080')).toEqual({ filter: lines, port: ['8080'] });
	});

	test('the history of a field has a limit', () => {
		let histories = {};
		for (let at = 0; at < 2 * maxHistoryLines; at += 1)
			histories = withLineEntered(histories, 'port', `${at}`);
		expect(Object.values<readonly string[]>(histories)[0]).toHaveLength(maxHistoryLines);
	});

	test('a search finds the newest line with the typed text, and then older ones', () => {
		const search = { kind: 'search', draft: typedLineFrom('draft'), typed: 'A' } as const;
		const first = foundLine(lines, search, 0);
		expect(first.line).toEqual({ text: 'atlas', caret: 0 });
		const second = foundLine(lines, first.assist, (first.assist.index ?? 0) + 1);
		expect(second.line.text).toBe('status:error');
		const third = foundLine(lines, second.assist, (second.assist.index ?? 0) + 1);
		expect(third).toMatchObject({ line: { text: 'draft' }, assist: { index: undefined } });
		expect(foundLine(lines, { ...search, typed: '' }, 0).line.text).toBe('draft');
	});
});
