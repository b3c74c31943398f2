import type { Move } from '../store/move.ts';

/** Where a binding holds: in the table, in a line that is being typed, in help, or in all of them. */
export type Place = 'fleet' | 'line' | 'help' | 'everywhere';

/** What a key asks for. A move only changes what is looked at. */
export type Intent =
	| { type: 'move'; move: Move }
	| { type: 'type'; text: string }
	| { type: 'erase'; what: 'letter' | 'word' | 'line' }
	| { type: 'copy'; what: 'id' }
	| { type: 'readNow' }
	| { type: 'redraw' }
	| { type: 'suspend' }
	| { type: 'quit' };

export type Binding = {
	/** As `keyFrom` names them; the first is the one that help shows first. */
	keys: readonly string[];
	places: readonly Place[];
	intent: Intent;
	/** What it does, for help. */
	help: string;
	/** A word or two for the footer; without one it is not shown there. */
	hint?: string;
};
