import type { HoldReason } from '../operations/countdowns.ts';
import type { OperationsState } from '../operations/operations.ts';
import type { Screen } from '../screen/screen.ts';
import { isTextView, type View, viewRows, views } from '../screen/view-table.ts';

const dialogContexts = [
	/** The text field of the filter. */
	'filter',
	'palette',
	'columns',
	/** The greeting of the first start. */
	'welcome',
	'help',
	'confirmation',
	/** A question about an operation, or the password. */
	'question',
	/** A terminal too small to show the screen. Questions are neither opened nor answered there. */
	'tooSmall',
] as const;

/** The place where a binding works: a view, a dialog or a text field. */
export type KeyContext = View | (typeof dialogContexts)[number];

/** A context, or every context at once. */
export type HelpContext = KeyContext | 'everywhere';

/** The contexts without a dialog or a text field. */
export const viewContexts: readonly KeyContext[] = views;

export const keyContexts: readonly KeyContext[] = [...views, ...dialogContexts];

/** The headings under which the help lists the keys of a context, in the order of the help. */
export const helpHeadings: readonly (readonly [HelpContext, string])[] = [
	...views.map(view => [view, viewRows[view].keysTitle] as const),
	['filter', 'While typing a filter'],
	['palette', 'In the palette'],
	['columns', 'While choosing columns'],
	['everywhere', 'Everywhere'],
];

const tableContexts: readonly KeyContext[] = views.filter(view => !isTextView(view));

/** Whether the keys of the table of computers work in a context. */
export const isTableContext = (context: KeyContext) => tableContexts.includes(context);

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
	return screen.view;
}

// Countdowns pause in these contexts only. Help, palette, filter and menus do not cover the line that shows a
// countdown.
const coveringContexts: ReadonlySet<KeyContext> = new Set(['question', 'confirmation', 'welcome']);

/** Returns the reason why countdowns pause in a context, or undefined where they are visible and run. */
export function countdownHoldReason(
	context: KeyContext,
	{ confirmation }: Screen,
): HoldReason | undefined {
	if (confirmation?.about === 'leave') return 'quit';
	if (context === 'tooSmall') return 'too small';
	return coveringContexts.has(context) ? 'dialog' : undefined;
}
