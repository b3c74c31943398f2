import type { Grid } from './grid.ts';

/**
 * Passes grids through Ink, which handles only texts: Ink takes a text from its Output, and writes the text to its
 * stream if it differs from the previous one. So the Output returns a short name for the grid, which changes only
 * when a cell changes, and the stream finds the grid by that name.
 *
 *    Output: grid ──► "frame 7;" ──► Ink ──► stream: "frame 7;" ──► grid
 */
export type FrameHandoff = {
	/** Returns a name for the grid. Ink writes the name to its stream instead of the grid. */
	nameOf(grid: Grid): string;
	/** Finds the grid whose name is in the text that Ink wrote. */
	gridNamedIn(written: string): Grid | undefined;
};

export function createFrameHandoff(isSameGrid: (a: Grid, b: Grid) => boolean): FrameHandoff {
	// Only two grids are kept, because Ink writes the newest frame or the one before it.
	const kept: { number: number; grid: Grid }[] = [];
	let count = 0;

	return {
		nameOf(grid) {
			let newest = kept.at(-1);
			if (!newest || !isSameGrid(newest.grid, grid)) {
				count += 1;
				newest = { number: count, grid };
				kept.push(newest);
				if (kept.length > 2) kept.shift();
			}
			// The name has as many lines as the grid, because Ink counts the lines of a text to place the cursor.
			return `frame ${newest.number};${'\n'.repeat(Math.max(0, grid.lines.length - 1))}`;
		},
		gridNamedIn(written) {
			const number = Number(/frame (\d+);/.exec(written)?.[1]);
			return kept.find(frame => frame.number === number)?.grid;
		},
	};
}
