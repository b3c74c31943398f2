import { expect, test } from 'vitest';
import { createPainter } from '../../source/terminal/output/painter.ts';
import { lineFrom } from '../frame-text.ts';

function painted(row: string, lacksUnicode: boolean): string {
	const line = lineFrom(Array.from(row.padEnd(10)));
	const dialect = { hasColours: false, hasLinks: false, lacksUnicode };
	return createPainter(() => dialect).paint({ columns: 10, lines: [line] });
}

test('the painter sends only ASCII to a terminal that shows only ASCII', () => {
	expect(painted('cut off…', true)).toContain('cut off~');
	expect(painted('né 世', true)).toMatch(/^[\x00-\x7f]*n\? \?[\x00-\x7f]*$/);
	expect(painted('cut off…', false)).toContain('cut off…');
});
