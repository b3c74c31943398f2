import type { OperationId } from '../fleet/operation.ts';
import type { Move } from '../screen/move.ts';
import type { KeyContext } from './key-context.ts';

/** What a key asks for. A move only changes what is looked at. */
export type Intent =
	| { type: 'move'; move: Move }
	| { type: 'type'; text: string }
	| { type: 'erase'; what: 'letter' | 'word' | 'line' }
	/** Whatever begins a question tells the key that it was begun with. For those that are behind, or
	 *  for the chosen ones. */
	| { type: 'ask'; operation: OperationId; key: string; targets?: 'behind' }
	| { type: 'answer'; input: { key: string } | { paste: string } }
	| { type: 'confirm'; key: string }
	| { type: 'copy'; what: 'id' | 'address' | 'payment' }
	| { type: 'palette' }
	| { type: 'columns'; what: 'choose' | 'usual' }
	| { type: 'choose' }
	| { type: 'signIn' }
	| { type: 'pay'; key: string }
	| { type: 'startBilling'; key: string }
	| { type: 'lock'; key: string }
	| { type: 'retry'; key: string }
	| { type: 'checkPorts' }
	| { type: 'readNow' }
	| { type: 'redraw' }
	| { type: 'suspend' }
	| { type: 'replay'; act: ReplayAct }
	| { type: 'quit'; key: string };

/** What a key asks of a replay. */
export type ReplayAct =
	| { do: 'pause' }
	| { do: 'speed'; by: 1 | -1 }
	/** To the next fact, or to the next line of the log. */
	| { do: 'fact' | 'change'; by: 1 | -1 }
	/** By so many milliseconds of the recording. */
	| { do: 'jump'; by: number }
	| { do: 'end'; which: 'first' | 'last' };

export type Binding = {
	/** What a person calls it in the configuration, to give it other keys. */
	action: string;
	/** As `keyNames` names them; the first is the one that help shows first. */
	keys: readonly string[];
	/** Keys that it keeps, whatever a person's own are: the screen promises what they do. */
	fixedKeys?: readonly string[];
	contexts: readonly (KeyContext | 'everywhere')[];
	intent: Intent;
	/** What it does, for help. */
	help: string;
	/** A word or two for the footer; without one it is not shown there. */
	hint?: string;
	/** It would only be refused here: offered nowhere, but found by its name, and then it says why. */
	isRefused?: boolean;
};

export const viewMove = (move: Move): Extract<Intent, { type: 'move' }> => ({ type: 'move', move });
