import type { Grid } from './grid.ts';

/**
 * Carries grids past Ink. Ink takes a text from its Output, compares it with the one before, and
 * writes it to its stream when it is another one. So a frame travels as a short name, a new name
 * only when a cell changed, and the stream finds the grid by it.
 */
export type FrameHandoff = {
	/** The text that Ink is to write for this grid. */
	textFor(grid: Grid): string;
	/** The grid whose name stands in what Ink wrote. */
	gridFrom(written: string): Grid | undefined;
};

export function createFrameHandoff(isSame: (a: Grid, b: Grid) => boolean): FrameHandoff {
	// Ink may write the newest but one, never an older one.
	const kept: { number: number; grid: Grid }[] = [];
	let count = 0;

	return {
		textFor(grid) {
			let newest = kept.at(-1);
			if (!newest || !isSame(newest.grid, grid)) {
				count += 1;
				newest = { number: count, grid };
				kept.push(newest);
				if (kept.length > 2) kept.shift();
			}
			// Ink counts the lines to find the row of the cursor from the last of them.
			return `frame ${newest.number};${'\n'.repeat(Math.max(0, grid.rows - 1))}`;
		},
		gridFrom(written) {
			const number = Number(/frame (\d+);/.exec(written)?.[1]);
			return kept.find(each => each.number === number)?.grid;
		},
	};
}
