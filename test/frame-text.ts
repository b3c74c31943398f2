import { frameWrittenAs } from '../source/terminal/output/ink-output.ts';

/**
 * Returns the text of the frame that Ink has just drawn. The tests replace Ink's output as the build does: what Ink
 * writes with `debug: true`, and what `renderToString` returns, is only the name of a frame.
 */
export function frameText(written: string): string {
	const grid = frameWrittenAs(written);
	if (!grid) throw new Error(`Ink wrote no frame but ${JSON.stringify(written)}`);
	const textOf = (line: (typeof grid.lines)[number]) => line.map(({ glyph }) => glyph).join('');
	return grid.lines.map(line => textOf(line).trimEnd()).join('\n');
}
