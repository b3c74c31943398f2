import type { Grid } from '../source/terminal/grid.ts';
import { frameHandoff } from '../source/terminal/ink-output.ts';

// Ink's output is replaced in tests as it is in the build: what Ink writes with `debug: true`, and what
// `renderToString` returns, is the name of a frame, and the cells are found by that name.

/** The frame that Ink has just written; undefined when it wrote something else. */
export const gridIn = (written: string): Grid | undefined => frameHandoff.gridFrom(written);

/** What was just drawn, as text. */
export function frameText(written: string): string {
	const grid = gridIn(written);
	if (!grid) throw new Error(`Ink wrote no frame, but ${JSON.stringify(written)}`);
	return gridText(grid);
}

/** The lines of a grid without styles and links, and without the blanks at their ends. */
function gridText({ glyphs, columns, rows }: Grid): string {
	return Array.from({ length: rows }, (_, row) =>
		glyphs
			.slice(row * columns, (row + 1) * columns)
			.join('')
			.trimEnd(),
	).join('\n');
}
