import type { HoldReason } from '../operations/countdowns.ts';
import type { OperationsState } from '../operations/operations.ts';
import type { Screen, View } from '../screen/screen.ts';

/** The place where a binding works: a view, a dialog or a text field. */
export type KeyContext =
	| 'fleet'
	/** A view that can be filtered: models or log. */
	| 'view'
	| 'billing'
	| 'versions'
	/** The text field of the filter. */
	| 'filter'
	| 'palette'
	| 'columns'
	/** The greeting of the first start. */
	| 'welcome'
	| 'help'
	| 'confirmation'
	/** A question about an operation, or the password. */
	| 'question'
	/** A terminal too small to show the screen. Questions are neither opened nor answered there. */
	| 'tooSmall';

/** The contexts without a dialog or a text field. */
export const viewContexts: readonly KeyContext[] = ['fleet', 'view', 'billing', 'versions'];

export function contextOfView(view: View): KeyContext {
	return view === 'models' || view === 'log' ? 'view' : view;
}

/** Returns the context of the next key: the topmost open dialog or field, or the view. */
export function keyContext(
	screen: Screen,
	{ question }: OperationsState,
	isPasswordOpen: boolean,
): KeyContext {
	if (screen.confirmation) return 'confirmation';
	if (isPasswordOpen || question) return 'question';
	if (screen.isWelcoming) return 'welcome';
	if (screen.palette) return 'palette';
	if (screen.columnMenu) return 'columns';
	if (screen.isHelpOpen) return 'help';
	if (screen.isFiltering) return 'filter';
	return contextOfView(screen.view);
}

// Countdowns pause in these contexts only. Help, palette, filter and menus do not cover the line that shows a
// countdown.
const dialogContexts: ReadonlySet<KeyContext> = new Set(['question', 'confirmation', 'welcome']);

/** Returns the reason why countdowns pause in a context, or undefined where they are visible and run. */
export function countdownHoldReason(
	context: KeyContext,
	{ confirmation }: Screen,
): HoldReason | undefined {
	if (confirmation?.about === 'leave') return 'quit';
	if (context === 'tooSmall') return 'too small';
	return dialogContexts.has(context) ? 'dialog' : undefined;
}
