import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameCell } from '../../../source/terminal/output/grid.ts';
import { createLineNumbering } from '../../../source/terminal/output/line-numbering.ts';
import { noColour, plainStyle } from '../../../source/terminal/output/style.ts';

const style = fc.record({
	foreground: fc.constantFrom(noColour, 1, 2),
	background: fc.constantFrom(noColour, 1),
	flags: fc.nat(511),
	underline: fc.constantFrom(noColour, 3),
	link: fc.constantFrom('', ';http://a.example'),
});

const cell = fc.record({ glyph: fc.constantFrom(' ', 'a', '●', ''), style });

test('two cells of a line have the same number exactly when they look the same', () => {
	fc.assert(
		fc.property(fc.array(cell, { minLength: 2, maxLength: 12 }), cells => {
			const line = {
				glyphs: cells.map(({ glyph }) => glyph),
				styles: cells.map(each => ({ ...plainStyle, ...each.style })),
			};
			const { cells: codes } = createLineNumbering().numbered(line);
			const places = [...cells.keys()];
			const pairs = places.flatMap(a => places.map(b => [a, b] as const));
			const wrong = pairs.filter(
				([a, b]) => (codes[a] === codes[b]) !== isSameCell(line, a, line, b),
			);
			expect(wrong).toEqual([]);
		}),
		{ numRuns: 500 },
	);
});
