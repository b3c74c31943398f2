import type { Grid } from './grid.ts';

/**
 * Carries grids past Ink, which handles only texts: it takes a text from its Output and writes it to its
 * stream if it differs from the last one. So each frame gets a short name, a new one only when a cell
 * changed, and the stream finds the grid by that name.
 *
 *    Output: grid ──► "frame 7;" ──► Ink ──► stream: "frame 7;" ──► grid
 */
export type FrameHandoff = {
	/** The text that Ink writes for this grid. */
	textFor(grid: Grid): string;
	/** The grid that is named in what Ink wrote. */
	gridFrom(written: string): Grid | undefined;
};

export function createFrameHandoff(isSame: (a: Grid, b: Grid) => boolean): FrameHandoff {
	// Ink may write the newest frame or the one before it, never an older one.
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
			// Ink counts the lines of a text to place the cursor.
			return `frame ${newest.number};${'\n'.repeat(Math.max(0, grid.rows - 1))}`;
		},
		gridFrom(written) {
			const number = Number(/frame (\d+);/.exec(written)?.[1]);
			return kept.find(each => each.number === number)?.grid;
		},
	};
}
