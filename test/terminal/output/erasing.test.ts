import { expect, test } from 'vitest';
import { createPainter } from '../../../source/terminal/output/painter.ts';
import { plainStyle } from '../../../source/terminal/output/style.ts';
import { lineFrom } from '../../frame-text.ts';

const columns = 60;
const capabilities = { canRepeatCharacters: false, hasColours: true, hasLinks: true };

test('a row that loses its background is erased once, and only its letters are written', () => {
	const glyphs = [...'atlas      active      1.4.2      6d 4h'.padEnd(columns)];
	const highlighted = lineFrom(glyphs, () => ({ ...plainStyle, background: 3 }));
	const painter = createPainter(() => capabilities);
	painter.paint({ columns, lines: [highlighted] }, undefined);
	const text = painter.paint({ columns, lines: [lineFrom(glyphs)] }, undefined);
	expect(text).toBe('\r\u001B[matlas\u001B[K\u001B[6Cactive\u001B[6C1.4.2\u001B[6C6d 4h');
});
