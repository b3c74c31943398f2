import type { Grid } from '../source/terminal/output/cells.ts';
import { frameWrittenAs } from '../source/terminal/output/ink-output.ts';

// The tests replace Ink's output as the build does. What Ink writes with `debug: true`, and what
// `renderToString` returns, is only the name of a frame. The functions below look up the cells of that frame.

/** Returns the frame that Ink has just written, or undefined if Ink wrote anything else. */
export const gridFrom = (written: string): Grid | undefined => frameWrittenAs(written);

/** Returns the text of the frame that Ink has just drawn. */
export function frameText(written: string): string {
	const grid = gridFrom(written);
	if (!grid) throw new Error(`Ink wrote no frame but ${JSON.stringify(written)}`);
	return grid.lines
		.map(line =>
			line
				.map(({ glyph }) => glyph)
				.join('')
				.trimEnd(),
		)
		.join('\n');
}
