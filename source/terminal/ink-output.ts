import { createFrameHandoff } from './frame-handoff.ts';
import { isSameGrid } from './grid.ts';
import { createOutputs, type Output } from './output.ts';

/**
 * What the build puts in the place of Ink's `build/output.js`. Ink makes one of these for every
 * frame and offers no way to hand it anything, so what outlives a frame lives here: the only thing
 * in the house that a module keeps.
 */
export const frameHandoff = createFrameHandoff(isSameGrid);

const outputFor = createOutputs(frameHandoff);

// Ink calls it with `new`, which gives whatever object the function returns.
export function InkOutput(size: { width: number; height: number }): Output {
	return outputFor(size);
}
