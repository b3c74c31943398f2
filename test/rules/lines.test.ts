import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitList, type Part, partsThatFit } from '../../source/lines/parts.ts';
import { spellOut } from '../../source/lines/print.ts';
import { type Span, type Tone, textOf, widthOf, wrap, wrapText } from '../../source/lines/span.ts';
import { contrastOn, createTheme, linkTo } from '../../source/lines/theme.ts';
import { createTimeFormatter } from '../../source/lines/time-text.ts';
import { typedLine } from '../../source/lines/typed.ts';
import {
	type CaretMotion,
	type LineHistories,
	maxHistoryLines,
	type TypedLine,
	typedLineFrom,
	withEdit,
	withLineEntered,
} from '../../source/views/look/typed-line.ts';
import { anyGrapheme } from '../arbitraries/characters.ts';

test.each([
	['Port: ', '8080|', 20, 'Port: 8080▏'],
	['Port: ', '8080|', 11, 'Port: 8080▏'],
	['Port: ', '|8080', 11, 'Port: ▏8080'],
	['Port: ', '80|80', 20, 'Port: 80▏80'],
	['Name: ', 'a-long-name|', 16, 'Name: …ong-name▏'],
	['Type atlas to delete it: ', 'atlas|', 16, 'Type atl… atlas▏'],
	['Name: ', '東京の海|', 14, 'Nam… 東京の海▏'],
	['', 'abcdefghijklmnopqrstuvwxyz|', 13, '…pqrstuvwxyz▏'],
	['', 'abcdefghijklm|nopqrstuvwxyz', 13, '…ghijklm▏nop…'],
])('the field “%s%s” in %i cells is “%s”', (prompt, typed, width, expected) =>
	expect(textOf(typedLine([[prompt]], lineFrom(typed), width))).toBe(expected),
);

test('a field never exceeds its width, and shows what stands before the caret', () => {
	const text = fc.string({ unit: anyGrapheme, maxLength: 30 });
	fc.assert(
		fc.property(text, text, fc.integer({ min: 12, max: 60 }), (prompt, typed, width) => {
			const spans = typedLine([[prompt]], typedLineFrom(typed), width);
			expect(widthOf(spans)).toBeLessThanOrEqual(width);
			expect(textOf(spans.slice(0, -2)).endsWith(typed.slice(-1))).toBe(true);
		}),
	);
});

test('a wrapped text never separates a number from its unit, nor the two parts of a duration', () => {
	const text =
		'The 69.77 credits left then last 2 d 21 h instead of 3 d, at 5 to 15 s each for 1 min 20 s.';
	for (let width = 12; width < 100; width += 1) {
		const lines = wrapText(text, width);
		expect(lines.join(' ')).toBe(text);
		for (const duration of ['2 d 21 h', '3 d,', '15 s', '1 min 20 s'])
			expect(lines.filter(line => line.includes(duration))).toHaveLength(1);
		for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
	}
	const spans: readonly Span[] = [['None yet. '], ['n', 'accent'], [' creates one.', 'faint']];
	expect(wrap(spans, 19)).toEqual([
		[['None yet. '], ['n', 'accent'], [' creates', 'faint']],
		[['one.', 'faint']],
	]);
});

test.each([
	[26, 'Stopping atlas in a minute'],
	[25, 'Stopping atlas in a minu…'],
	[18, 'Stopping atlas in…'],
	[17, 'Stopping in a mi…'],
	[11, 'Stopping'],
	[5, 'Stop…'],
])('in %i cells, parts leave whole from the highest number: %s', (width, expected) => {
	const parts: readonly Part[] = [
		{ drop: 0, spans: [['Stopping']] },
		{ drop: 2, spans: [[' atlas']] },
		{ drop: 1, min: 4, spans: [[' in a minute']] },
	];
	expect(textOf(partsThatFit(parts, width, '').flatMap(({ spans }) => spans))).toBe(expected);
});

test.each([
	[27, 't trouble  n name  s status'],
	[26, 't trouble  n name  …'],
	[19, 't trouble  …'],
	[5, 't tr…'],
])('in %i cells, what is left out of a list leaves an ellipsis: %s', (width, expected) => {
	const items = ['t trouble', 'n name', 's status'].map((text): readonly Span[] => [[text]]);
	expect(textOf(fitList(items, width, '  '))).toBe(expected);
});

test.each([
	[
		'credits 71.03 \u22121.01/h 2 d 22 h left',
		'credits 71.03, minus 1.01 an hour, 2 days 22 hours left',
	],
	['\u22481.01/h \u2248 3 d left', 'about 1.01 an hour, about 3 days left'],
	['ports 8080 5173 3000', 'ports 8080, 5173 and 3000'],
	['web 80 443 failed on 27 2026', 'web 80 443 failed on 27 2026'],
	['2026-11-04 07:26', '2026-11-04 07:26'],
	['Esc cancels', 'Escape cancels'],
])('“%s” is spoken as “%s”', (text, spoken) => expect(spellOut(text)).toBe(spoken));

test.each([
	[false, ['0s', '4s', '59s', '1m'], ['59s', '1m', '3h 0m'], ['4 s', '3 min 4 s', '3 h']],
	[true, ['<1m', '<1m', '<1m', '1m'], ['<1m', '1m', '3h 0m'], ['<1 min', '3 min', '3 h']],
])('times on a slow line (%s) are %j, %j and %j', (isSlow, ages, compact, durations) => {
	const times = createTimeFormatter(isSlow);
	expect([-4_000, 4_000, 59_000, 61_000].map(times.age)).toEqual(ages);
	expect([59_999, 60_000, 10_800_000].map(times.compactDuration)).toEqual(compact);
	expect([4_000, 184_000, 10_800_000].map(times.duration)).toEqual(durations);
});

test('only a web address of plain characters becomes a terminal link', () => {
	const url = 'https://example.com/a?b=c#d';
	expect(linkTo('a', url)).toBe(`\x1b]8;;${url}\x1b\\a\x1b]8;;\x1b\\`);
	for (const other of [
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://example.com/\x1b\\evil',
		'https://example.com/\x07',
		'https://example.com/with space',
		'https://münchen.example',
		'',
	])
		expect(linkTo('text', other)).toBe('text');
});

const step = (level: number) => (level === 0 ? 0 : 55 + 40 * level);

/** One of the 256 colours beyond the first 16, which terminals agree on, as #rrggbb. */
function hexOf(colour: number): string {
	const cube = colour - 16;
	const channels =
		colour >= 232
			? Array(3).fill(8 + 10 * (colour - 232))
			: [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step);
	return `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
}

test('every colour has a contrast of at least 3:1 on white, and the cells of the map differ', () => {
	expect(contrastOn('light', '#767676')).toBeCloseTo(4.54, 2);
	expect(contrastOn('dark', '#ff0000')).toBeCloseTo(5.25, 2);
	const light = createTheme({ colourBits: 8, background: 'light', hasUnicode: true });
	const tones = 'accent faint good busy bad usual idle old doubt here'.split(' ') as Tone[];
	const colours = tones.map(tone => Number(/38;5;(\d+)/.exec(light.paint(tone, 'x'))?.[1]));
	for (const [at, colour] of colours.entries())
		expect(contrastOn('light', hexOf(colour)), tones[at]).toBeGreaterThanOrEqual(3);
	expect(new Set(colours.slice(5)).size).toBe(5);
});

test.each([
	[24, 'dark', '38;2;255;95;95'],
	[8, 'dark', '38;5;210'],
	// Terminals of 16 colours have no such colour, and on white it is hard to see.
	[4, 'dark', '31'],
	[24, 'light', '38;5;124'],
	[0, 'dark', undefined],
] as const)(
	'with %s bits of colour on %s, an own colour for what failed is painted as %s',
	(colourBits, background, code) => {
		const options = { colourBits, background, hasUnicode: true };
		const own = createTheme({ ...options, ownColours: { bad: '#ff5f5f', good: 'cyan' } });
		expect(own.paint('bad', 'x')).toBe(code ? `\x1b[${code}mx\x1b[39m` : 'x');
		expect(own.paint('busy', 'x')).toBe(createTheme(options).paint('busy', 'x'));
		if (colourBits > 0) expect(own.paint('good', 'x')).toBe('\x1b[36mx\x1b[39m');
	},
);

/** A line as its text with the caret in it, such as `at|las`. */
const drawn = ({ text, caret }: TypedLine) => `${text.slice(0, caret)}|${text.slice(caret)}`;

function lineFrom(text: string): TypedLine {
	return { text: text.replace('|', ''), caret: text.indexOf('|') };
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
])('in “%s”, the caret goes %s to “%s”, and erasing leaves “%s”', (from, to, moved, erased) => {
	expect(drawn(withEdit(lineFrom(from), { type: 'move', to }))).toBe(moved);
	expect(drawn(withEdit(lineFrom(from), { type: 'erase', to }))).toBe(erased);
});

test('no edit divides a character, and what is inserted stands before the caret', () => {
	const text = fc.string({ unit: anyGrapheme });
	const motions = ['left', 'right', 'wordLeft', 'wordRight', 'lineStart', 'lineEnd'] as const;
	const edit = fc.oneof(
		fc.record({
			type: fc.constantFrom('move' as const, 'erase' as const),
			to: fc.constantFrom(...motions),
		}),
		fc.record({ type: fc.constantFrom('insert' as const, 'paste' as const), text }),
	);
	fc.assert(
		fc.property(text, fc.array(edit), (begin, edits) => {
			const after = edits.reduce(withEdit, typedLineFrom(begin));
			expect(drawn(after).split('|').join('')).toBe(after.text.replaceAll('|', ''));
			for (const part of drawn(after).split('|')) expect(part).not.toMatch(/\p{Surrogate}/u);
		}),
	);
	expect(drawn(withEdit(lineFrom('at|s'), { type: 'paste', text: 'la' }))).toBe('atla|s');
});

const lines = ['status:error', 'atlas', 'cpu:>80'];

test('a history keeps no empty line, each line once, and so many lines at most', () => {
	const histories: LineHistories = { filter: lines };
	const entered = withLineEntered(histories, 'filter', ' atlas ');
	expect(entered['filter']).toEqual(['status:error', 'cpu:>80', 'atlas']);
	expect(withLineEntered(histories, 'filter', ' ')).toBe(histories);
	const many = Array.from({ length: 2 * maxHistoryLines }, (_, at) => `${at}`);
	const full = many.reduce((all, text) => withLineEntered(all, 'port', text), histories);
	expect(full).toEqual({ filter: lines, port: many.slice(-maxHistoryLines) });
});
