import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { typedLineFrom } from '../../../source/screen/typed-line.ts';
import { paletteLines } from '../../../source/wording/dialogs/palette-text.ts';
import { findItems } from '../palette/palette-fleet.ts';

const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });
const all = findItems('', { names: [] });

function linesAt(rows: number, index: number, items = all, typed = '') {
	const found = { items, index };
	const box = paletteLines(
		{ line: typedLineFrom(typed) },
		found,
		bindings,
		{ columns: 80, rows },
		theme,
	);
	return box.lines.slice(1, -1);
}

test('the palette says which of its lines are in view, and follows the chosen one to the last', () => {
	expect(linesAt(36, 0)).toHaveLength(12);
	expect(linesAt(36, 0).at(-1)).toContain(`1–10 of ${all.length} · Enter runs or asks`);
	expect(linesAt(36, all.length - 1).at(-2)).toContain(`❯ ${all.at(-1)?.label.slice(0, 20)}`);
	expect(linesAt(36, 0, all.slice(0, 10)).at(-1)).not.toContain(' of ');
	expect(linesAt(6, 0)).toHaveLength(3);
});

test('the empty palette says what can be typed, and a search without a result says so', () => {
	expect(linesAt(36, 0)[0]).toContain(':▏  stop vega · a computer');
	expect(linesAt(36, -1, [], 'zzz').join()).toContain('Nothing matches “zzz”');
});

test('the palette keeps its height while a person types, and never cuts off a key', () => {
	for (const rows of [36, 24, 15, 6]) {
		const height = linesAt(rows, 0).length;
		for (const typed of ['vega', 'zzz', 'stop']) {
			const items = findItems(typed, { names: ['vega'] });
			expect(linesAt(rows, 0, items, typed), `${rows} ${typed}`).toHaveLength(height);
		}
	}
	expect(linesAt(36, 0, findItems('mark', { names: ['vega'] }), 'mark').join()).toContain('Space');
});

test('the letters that match are underlined', () => {
	const [, line = ''] = linesAt(36, 0, findItems('stop vega'), 'stop vega');
	expect(line).toContain('\u001b[4mStop\u001b[24m \u001b[4mvega\u001b[24m');
});

test('the palette leaves the header and its rule in sight on a short terminal', () => {
	for (let rows = 10; rows < 40; rows += 1) {
		const height = linesAt(rows, 0).length + 2;
		expect(rows - height - 2, `${rows} rows`).toBeGreaterThanOrEqual(3);
	}
});
