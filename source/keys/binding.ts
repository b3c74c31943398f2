import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type { Move } from '../screen/move.ts';
import type { Edit } from '../screen/typed-line.ts';
import { homeView, isTextView, type View, viewRows, views } from '../screen/view-table.ts';

/** The text fields, into which letters are typed. A `field` belongs to a question, such as a name or a port. */
export const textContexts = ['filter', 'palette', 'field', 'password', 'signIn'] as const;

const dialogContexts = [
	...textContexts,
	/** A question that single keys answer. */
	'question',
	'columns',
	/** The menu in which a letter chooses the order of the table. */
	'order',
	'help',
	/** A terminal too small to show the screen. Questions are neither opened nor answered there. */
	'tooSmall',
] as const;

/**
 * The map of the fleet, which shows the same computers as the table. The keys of the fleet view work in it, unless the
 * map has another use for a key.
 */
const mapContext = 'map';

/** The place where a binding works: a view, the map, a dialog or a text field. */
export type KeyContext = View | typeof mapContext | (typeof dialogContexts)[number];

/** A context, or every context at once. */
export type HelpContext = KeyContext | 'everywhere';

/** The contexts without a dialog or a text field. */
export const viewContexts: readonly KeyContext[] = views;

export const keyContexts: readonly KeyContext[] = [...views, mapContext, ...dialogContexts];

/**
 * Some contexts use the keys of another context in addition to their own. Returns that other context, if there is
 * one.
 */
export const outerContextOf = (context: KeyContext): KeyContext | undefined =>
	context === mapContext ? homeView : undefined;

/** Whether a context is a view or its map, without a dialog or a text field. */
export const isViewContext = (context: KeyContext) =>
	viewContexts.includes(outerContextOf(context) ?? context);

/** The menus and lists that are open over a view. They ask no question. */
const menuContexts: readonly KeyContext[] = ['columns', 'order', 'help'];

export const isMenuContext = (context: KeyContext) => menuContexts.includes(context);

/** Whether a binding works in a context. */
export function bindingWorksIn(
	{ contexts }: Pick<Binding, 'contexts'>,
	context: KeyContext,
): boolean {
	const outer = outerContextOf(context);
	return contexts.includes(context) || (outer !== undefined && contexts.includes(outer));
}

export const isTextContext = (context: HelpContext) =>
	textContexts.some(textContext => textContext === context);

/** The headings under which the help lists the keys of a context, in the order of the help. */
export const helpHeadings: readonly (readonly [HelpContext, string])[] = [
	...views.map(view => [view, viewRows[view].keysTitle] as const),
	[mapContext, 'In the map'],
	['question', 'In a question'],
	['field', 'While typing'],
	['password', 'While typing a password'],
	['signIn', 'In the sign-in form'],
	['filter', 'While typing a filter'],
	['palette', 'In the palette'],
	['columns', 'While choosing columns'],
	['order', 'While choosing the order'],
	['help', 'In the help'],
	['everywhere', 'Everywhere'],
];

const tableContexts: readonly KeyContext[] = views.filter(view => !isTextView(view));

/** Whether the keys of the table of computers work in a context. */
export const isTableContext = (context: KeyContext) =>
	tableContexts.includes(outerContextOf(context) ?? context);

/** The effect of a key. */
export type Intent =
	| { type: 'move'; move: Move }
	/** Changes the line in a text field. */
	| { type: 'edit'; edit: Edit }
	/** Shows the next older (-1) or newer (1) line of the field's history. */
	| { type: 'recall'; direction: 1 | -1 }
	/** Searches the history of the field. A second press finds the next match. */
	| { type: 'searchHistory' }
	/** Completes the word at the caret. A second press shows the next (1) or previous (-1) completion. */
	| { type: 'complete'; direction: 1 | -1 }
	/** Asks for an operation. The key is kept, because the same key must not confirm the question. */
	| { type: 'ask'; operation: OperationId; key: string; targets?: 'behind' | readonly GlobalId[] }
	/** Answers the open dialog. The key is kept, because the key that opened a question never confirms it. */
	| { type: 'answer'; answer: DialogAnswer; key: string }
	/**
	 * Copies something to the clipboard: from the targets, or from the computer under the cursor. `line` copies the
	 * id of a line, such as that of a model.
	 */
	| {
			type: 'copy';
			content: 'id' | 'address' | 'payment' | 'line';
			targets?: readonly GlobalId[];
	  }
	| { type: 'palette' }
	| { type: 'columns'; action: 'choose' | 'reset' }
	/** Moves the cursor to a computer in the table. */
	| { type: 'showComputer'; id: GlobalId }
	/** Moves the choice in the palette. */
	| { type: 'moveInPalette'; steps: number }
	/** Keeps the filter of the table under a name, or forgets or renames a named filter. */
	| { type: 'savedFilter'; action: 'save' | 'forget'; name: string }
	| { type: 'savedFilter'; action: 'rename'; name: string; newName: string }
	/** Gives a setting another value at once. */
	| { type: 'chooseSetting'; name: string; word: string }
	/** Runs the key under the cursor of the help. The key that was pressed is kept, because it may ask for an operation. */
	| { type: 'runHelpLine'; key: string }
	| { type: 'helpFilter' }
	/** Shows the names of the keys for the configuration, or their explanations again. */
	| { type: 'helpNames' }
	/** Runs the chosen command. The key is kept, because it may ask for an operation. */
	| { type: 'choose'; key: string }
	| { type: 'signIn' }
	/** Asks whether to sign out of this account, or of the one under the cursor. */
	| { type: 'signOut'; key: string; account?: string }
	/** Goes to the next (1) or previous (-1) field of the sign-in form. */
	| { type: 'formField'; direction: 1 | -1 }
	/** Adds the account of a profile to the table, or removes it. The key is kept, because it may open a question. */
	| { type: 'account'; profile: string; key: string }
	| { type: 'pay'; key: string }
	| { type: 'startBilling'; key: string }
	| { type: 'lock'; key: string }
	| { type: 'retry'; key: string }
	/** Cancels the chosen operations before their requests are sent. */
	| { type: 'cancelUnsent' }
	| { type: 'checkPorts'; targets?: readonly GlobalId[] }
	| { type: 'readNow' }
	| { type: 'redraw' }
	| { type: 'suspend' }
	| { type: 'replay'; action: ReplayAction }
	/** Closes what is open over the table, or quits if nothing is. */
	| { type: 'closeOrQuit'; key: string }
	| { type: 'quit'; key: string }
	/** Asks the running commands whose output is shown to end, or quits if none runs. */
	| { type: 'endCommands'; key: string }
	/** Says that the key does nothing in this view or menu. */
	| { type: 'unboundKey'; key: string; context: KeyContext }
	/** A paste where no text field is open. */
	| { type: 'refusedPaste' };

/** An answer to a dialog: to its question, to its text field, or to the whole of it. */
export type DialogAnswer =
	| 'yes'
	| 'no'
	| 'submit'
	| 'back'
	| 'copy'
	| 'runCommand'
	/** Starts the stopped computers first, or leaves them out again. */
	| 'startFirst';

/** An action of the player in a replay. */
export type ReplayAction =
	| { type: 'pause' }
	| { type: 'speed'; direction: 1 | -1 }
	/** Moves to the next (1) or previous (-1) fact or line of the log. */
	| { type: 'fact' | 'change'; direction: 1 | -1 }
	/** Moves by this many milliseconds of the recording. */
	| { type: 'jump'; durationMs: number }
	| { type: 'end'; edge: 'first' | 'last' };

export type Binding = {
	/** The name of the binding in the configuration, where a person can set other keys for it. */
	action: string;
	/** The names of the keys. Help and footer show them in this order. */
	keys: readonly string[];
	/** Keys that the configuration cannot remove, because texts on the screen name them. */
	fixedKeys?: readonly string[];
	contexts: readonly HelpContext[];
	/** Whether the keys may replace a meaning that the same keys have everywhere else. */
	isInPlaceOfEverywhere?: boolean;
	/** If the intent has a field `key`, the dispatcher puts the pressed key into that field. */
	intent: Intent;
	/** The description of the key in help and palette. */
	help: string;
	/** More words by which the palette and the help find the key. They are not shown. */
	words?: string | undefined;
	/** The description in the footer, a word or two. Without a hint, the footer does not show the key. */
	hint?: string | undefined;
	/**
	 * Whether the action is always refused here. Then the key is not offered, but a search in the palette finds the
	 * action with the reason.
	 */
	isRefused?: boolean;
};

export const moveIntent = (move: Move): Extract<Intent, { type: 'move' }> => ({
	type: 'move',
	move,
});

type BindingRow = readonly [
	action: string,
	keys: readonly string[],
	intent: Intent,
	help: string,
	hint?: string | undefined,
	words?: string | undefined,
];

/** Returns bindings that all work in the same contexts. */
export function bindingsIn(
	contexts: Binding['contexts'],
	rows: readonly BindingRow[],
): readonly Binding[] {
	return rows.map(([action, keys, intent, help, hint, words]) => {
		return { action, keys, contexts, intent, help, hint, words };
	});
}

/** Returns the key that says yes to a question. It is never the key that opened the question. */
export function yesKeyOf(bindings: readonly Binding[], openingKey: string | undefined): string {
	const keys = bindings.find(({ action }) => action === 'yes')?.keys ?? [];
	return keys.find(key => key !== openingKey) ?? '';
}
