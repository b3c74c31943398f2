import type { Grid } from '../source/terminal/grid.ts';
import { frames } from '../source/terminal/ink-output.ts';
import { textFromLine } from '../source/terminal/text-cells.ts';

// Ink's output is replaced in tests as it is in the build: what Ink writes with `debug: true`, and what
// `renderToString` returns, is the name of a frame, and the cells are found by that name.

/** The frame that Ink has just written; undefined when it wrote something else. */
export const gridIn = (written: string): Grid | undefined => frames.gridIn(written);

/** The lines of a grid without styles and links, and without the blanks at their ends. */
export function gridText(grid: Grid): string {
	return rowsOf(grid, (start, end) => grid.glyphs.slice(start, end).join(''));
}

/** The lines of a grid with styles and links. */
export function styledGridText({ glyphs, styles, ...size }: Grid): string {
	return rowsOf(size, (start, end) =>
		textFromLine({ glyphs: glyphs.slice(start, end), styles: styles.slice(start, end) }),
	);
}

/** What was just drawn, as text. */
export function frameText(written: string): string {
	const grid = gridIn(written);
	if (!grid) throw new Error(`Ink wrote no frame, but ${JSON.stringify(written)}`);
	return gridText(grid);
}

function rowsOf(
	{ columns, rows }: { columns: number; rows: number },
	textOf: (start: number, end: number) => string,
): string {
	return Array.from({ length: rows }, (_, row) =>
		textOf(row * columns, (row + 1) * columns).trimEnd(),
	).join('\n');
}
