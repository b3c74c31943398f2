import type { HoldReason } from '../operations/countdowns.ts';
import type { OperationsState } from '../operations/operations.ts';
import type { Screen, View } from '../screen/screen.ts';

/** Where a binding holds: a view, a dialog or a field. */
export type KeyContext =
	| 'fleet'
	/** A view that can be filtered and ordered: models, log. */
	| 'view'
	| 'billing'
	| 'versions'
	/** A line that is being typed, such as the filter. */
	| 'line'
	| 'palette'
	| 'columns'
	/** The greeting of the first start. */
	| 'welcome'
	| 'help'
	| 'confirmation'
	/** A question about an operation, or the password. */
	| 'question'
	/** The terminal is too small to show anything: a key that asks or answers would act unseen. */
	| 'unseen';

/** The contexts in which nothing is typed or answered. */
export const viewContexts: readonly KeyContext[] = ['fleet', 'view', 'billing', 'versions'];

export function contextOfView(view: View): KeyContext {
	return view === 'models' || view === 'log' ? 'view' : view;
}

/** The context of the next key: whatever was opened last gets it. */
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
	if (screen.isFiltering) return 'line';
	return contextOfView(screen.view);
}

// Help, palette, filter and menus do not cover the line that shows a countdown.
const dialogs: ReadonlySet<KeyContext> = new Set(['question', 'confirmation', 'welcome']);

/** Why countdowns are held in a context; undefined where they can be seen and run. */
export function whyCountdownsHold(
	context: KeyContext,
	{ confirmation }: Screen,
): HoldReason | undefined {
	if (confirmation?.about === 'leave') return 'quit';
	if (context === 'unseen') return 'too small';
	return dialogs.has(context) ? 'dialog' : undefined;
}
