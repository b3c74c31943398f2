import type { OperationId } from '../fleet/operation.ts';
import type { Move } from '../screen/move.ts';
import type { KeyContext } from './key-context.ts';

/** What a key asks for. A move changes only the view. */
export type Intent =
	| { type: 'move'; move: Move }
	| { type: 'type'; text: string }
	| { type: 'erase'; what: 'letter' | 'word' | 'line' }
	/** An operation, with the key that asked for it: a question must not be confirmed with the same key. */
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

/** What a key does in a replay. */
export type ReplayAct =
	| { do: 'pause' }
	| { do: 'speed'; by: 1 | -1 }
	/** To the next or previous fact or line of the log. */
	| { do: 'fact' | 'change'; by: 1 | -1 }
	/** By this many milliseconds of the recording. */
	| { do: 'jump'; by: number }
	| { do: 'end'; which: 'first' | 'last' };

export type Binding = {
	/** The name in the configuration, under which a person can set other keys. */
	action: string;
	/** Key names; help and footer show the first one first. */
	keys: readonly string[];
	/** Keys that stay bound whatever the configuration says, because the screen names them. */
	fixedKeys?: readonly string[];
	contexts: readonly (KeyContext | 'everywhere')[];
	intent: Intent;
	/** What the key does, for help and palette. */
	help: string;
	/** A word or two for the footer; absent if the footer does not show it. */
	hint?: string;
	/** Always refused here: not offered, but found by name, and then it says why. */
	isRefused?: boolean;
};

export const viewMove = (move: Move): Extract<Intent, { type: 'move' }> => ({ type: 'move', move });
