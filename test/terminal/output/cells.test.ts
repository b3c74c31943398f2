import fc from 'fast-check';
import { expect, test } from 'vitest';
import { glyphAt, styleAt, unitAt } from '../../../source/terminal/output/cells.ts';
import { isSameCell } from '../../../source/terminal/output/grid.ts';
import {
	isSameStyle,
	isSameStyleOnSpaces,
	noColour,
	plainStyle,
} from '../../../source/terminal/output/style.ts';
import { lineFrom } from '../../frame-text.ts';

const style = fc.record({
	foreground: fc.constantFrom(noColour, 1, 2),
	background: fc.constantFrom(noColour, 1),
	flags: fc.constantFrom(0, 1, 3, 8, 32),
	underline: fc.constantFrom(noColour, 3),
	link: fc.constantFrom('', ';http://a.example'),
});

const cell = fc
	.record({ glyph: fc.constantFrom(' ', 'a', '●', '🙂', 'e\u0301', ''), style })
	.map(({ glyph, style }) => ({ glyph, style: { ...plainStyle, ...style } }));

const cells = fc.array(cell, { minLength: 1, maxLength: 12 });

const lineOf = (all: readonly { glyph: string; style: typeof plainStyle }[]) =>
	lineFrom(
		all.map(({ glyph }) => glyph),
		x => all[x]?.style ?? plainStyle,
	);

test('a cell keeps its glyph and the part of its style that can be seen', () => {
	fc.assert(
		fc.property(cells, cells => {
			const line = lineOf(cells);
			for (const [x, { glyph, style }] of cells.entries()) {
				expect(glyphAt(line, x)).toBe(glyph);
				expect(unitAt(line, x)).toBe(
					glyph.length > 1 ? -1 : glyph === '' ? 0 : glyph.charCodeAt(0),
				);
				const isSame = glyph === ' ' ? isSameStyleOnSpaces : isSameStyle;
				expect(isSame(styleAt(line, x), style)).toBe(true);
			}
		}),
		{ numRuns: 300 },
	);
});

test('two cells of any lines are the same exactly when they look the same', () => {
	fc.assert(
		fc.property(cells, cells, (some, others) => {
			const [line, other] = [lineOf(some), lineOf(others)];
			for (const [x, a] of some.entries()) {
				for (const [y, b] of others.entries()) {
					const isSame = a.glyph === ' ' ? isSameStyleOnSpaces : isSameStyle;
					const looksSame = a.glyph === b.glyph && isSame(a.style, b.style);
					expect(isSameCell(line, x, other, y)).toBe(looksSame);
				}
			}
		}),
		{ numRuns: 300 },
	);
});
