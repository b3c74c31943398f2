import type { OperationId } from '../fleet/fact.ts';
import type { Move } from '../store/move.ts';

/**
 * Where a binding holds: in the table, in the view of billing, in another one, in a line that is being
 * typed, in the palette, in help, while the program asks about itself, or in all of them. A question about an operation reads keys itself.
 */
export type Place =
	| 'fleet'
	| 'view'
	| 'billing'
	| 'line'
	| 'palette'
	| 'help'
	| 'confirmation'
	| 'question';

/** What a key asks for. A move only changes what is looked at. */
export type Intent =
	| { type: 'move'; move: Move }
	| { type: 'type'; text: string }
	| { type: 'erase'; what: 'letter' | 'word' | 'line' }
	/** The key that asked never confirms. */
	| { type: 'ask'; operation: OperationId; key: string }
	| { type: 'answer'; input: { key: string } | { paste: string } }
	| { type: 'confirm'; isYes: boolean }
	| { type: 'copy'; what: 'id' | 'address' | 'payment' }
	| { type: 'palette' }
	| { type: 'choose' }
	| { type: 'pay' }
	| { type: 'startBilling' }
	| { type: 'lock' }
	| { type: 'retry' }
	| { type: 'checkPorts' }
	| { type: 'readNow' }
	| { type: 'redraw' }
	| { type: 'suspend' }
	| { type: 'quit' };

export type Binding = {
	/** What a person calls it in the configuration, to give it other keys. */
	action: string;
	/** As `keyNames` names them; the first is the one that help shows first. */
	keys: readonly string[];
	places: readonly (Place | 'everywhere')[];
	intent: Intent;
	/** What it does, for help. */
	help: string;
	/** A word or two for the footer; without one it is not shown there. */
	hint?: string;
};

export const look = (move: Move): Extract<Intent, { type: 'move' }> => ({ type: 'move', move });
