import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { paletteItems } from '../../../source/keys/palette.ts';
import { lineOf } from '../../../source/screen/typed-line.ts';
import { paletteLines } from '../../../source/wording/dialogs/palette-text.ts';

const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });
const all = paletteItems(bindings, '');

const linesAt = (rows: number, index: number, items = all) =>
	paletteLines(
		{ entry: { line: lineOf('') }, index },
		items,
		{ columns: 80, rows },
		theme,
	).lines.slice(2, -1);

test('the palette says how many matching commands do not fit', () => {
	const lines = linesAt(36, 0);
	expect(lines).toHaveLength(10);
	expect(lines.at(-1)).toContain(`… ${all.length - 9} more`);
	expect(linesAt(36, all.length - 1).at(-2)).toContain(`❯ ${all.at(-1)?.label.slice(0, 20)}`);
	expect(linesAt(36, 0, all.slice(0, 10)).join('')).not.toContain('more');
	expect(linesAt(6, 0)).toHaveLength(1);
});
