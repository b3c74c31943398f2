import { expect, test } from 'vitest';
import { createGrid } from '../../../source/terminal/output/grid.ts';
import { createPainter } from '../../../source/terminal/output/painter.ts';

function painted(row: string, lacksUnicode: boolean): string {
	const grid = createGrid(10, 1);
	for (const [x, glyph] of Array.from(row).entries()) grid.glyphs[x] = glyph;
	const dialect = { canRepeatCharacters: false, hasColours: false, hasLinks: false, lacksUnicode };
	return createPainter(() => dialect).paint(grid, undefined);
}

test('the painter sends only ASCII to a terminal that shows only ASCII', () => {
	expect(painted('cut off…', true)).toContain('cut off~');
	expect(painted('né 世', true)).toMatch(/^[\x00-\x7f]*n\? \?[\x00-\x7f]*$/);
	expect(painted('cut off…', false)).toContain('cut off…');
});
