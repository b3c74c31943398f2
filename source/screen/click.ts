import type { Move } from './move.ts';

/** The effect of a click on a text: it presses a key or makes a move. A click never answers a question. */
export type Click =
	| { type: 'key'; key: string }
	| { type: 'move'; move: Move }
	/** Runs the result of the palette with this id. */
	| { type: 'found'; id: string };
