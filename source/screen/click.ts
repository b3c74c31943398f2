import type { Move } from './move.ts';

/** What a click on a text does: the same as a key or as a move. It never answers a question. */
export type Click =
	| { type: 'key'; key: string }
	| { type: 'move'; move: Move }
	/** Runs the result of the palette with this id. */
	| { type: 'found'; id: string };
