import { expect, test } from 'vitest';
import { createBlankLine } from '../../../source/terminal/output/grid.ts';
import { createPainter } from '../../../source/terminal/output/painter.ts';
import { plainStyle } from '../../../source/terminal/output/style.ts';

const columns = 60;
const capabilities = { canRepeatCharacters: false, hasColours: true, hasLinks: true };

test('a row that loses its background is erased once, and only its letters are written', () => {
	const blank = createBlankLine(columns);
	const highlighted = {
		...blank,
		styles: blank.styles.map(() => ({ ...plainStyle, background: 3 })),
	};
	const glyphs = [...'atlas      active      1.4.2      6d 4h'.padEnd(columns)];
	const painter = createPainter(() => capabilities);
	painter.paint({ columns, lines: [{ ...highlighted, glyphs }] }, undefined);
	const text = painter.paint({ columns, lines: [{ ...blank, glyphs }] }, undefined);
	expect(text).toBe('\r\u001B[matlas\u001B[K\u001B[6Cactive\u001B[6C1.4.2\u001B[6C6d 4h');
});
