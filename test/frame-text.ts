import { type CellLine, cellOf, glyphAt, type RareCell } from '../source/terminal/output/cells.ts';
import type { Grid } from '../source/terminal/output/grid.ts';
import { frameHandoff } from '../source/terminal/output/ink-output.ts';
import { plainStyle, type Style } from '../source/terminal/output/style.ts';

// The tests replace Ink's output as the build does. What Ink writes with `debug: true`, and what
// `renderToString` returns, is only the name of a frame. The functions below look up the cells of that frame.

/** Returns the frame that Ink has just written, or undefined if Ink wrote anything else. */
export const gridFrom = (written: string): Grid | undefined => frameHandoff.gridNamedIn(written);

/** Returns the text of the frame that Ink has just drawn. */
export function frameText(written: string): string {
	const grid = gridFrom(written);
	if (!grid) throw new Error(`Ink wrote no frame but ${JSON.stringify(written)}`);
	return gridText(grid);
}

/** Returns the lines of a grid as text, without styles, links and trailing blanks. */
function gridText({ lines }: Grid): string {
	return lines.map(line => glyphsOf(line).join('').trimEnd()).join('\n');
}

/** Returns the glyphs of a line. The cell behind a wide glyph has none. */
export const glyphsOf = (line: CellLine): string[] => line.cells.map((_, x) => glyphAt(line, x));

/** Returns a line with these glyphs, each in a cell of its own. */
export function lineFrom(
	glyphs: readonly string[],
	styleOf: (x: number) => Style = () => plainStyle,
): CellLine {
	const rareCells: RareCell[] = [];
	return { cells: glyphs.map((glyph, x) => cellOf(glyph, styleOf(x), rareCells)), rareCells };
}
