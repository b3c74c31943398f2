import { isTextView, type View, viewRows, views } from '../screen/view-table.ts';

/** The text fields, into which letters are typed. A `field` is one of a question, such as a name or a port. */
export const textContexts = ['filter', 'palette', 'field', 'password'] as const;

const dialogContexts = [
	...textContexts,
	/** A question that single keys answer. */
	'question',
	'columns',
	/** The greeting of the first start. */
	'welcome',
	'help',
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

export const isTextContext = (context: HelpContext) =>
	textContexts.some(textContext => textContext === context);

/** The headings under which the help lists the keys of a context, in the order of the help. */
export const helpHeadings: readonly (readonly [HelpContext, string])[] = [
	...views.map(view => [view, viewRows[view].keysTitle] as const),
	['question', 'In a question'],
	['field', 'While typing'],
	['password', 'While typing a password'],
	['filter', 'While typing a filter'],
	['palette', 'In the palette'],
	['columns', 'While choosing columns'],
	['everywhere', 'Everywhere'],
];

const tableContexts: readonly KeyContext[] = views.filter(view => !isTextView(view));

/** Whether the keys of the table of computers work in a context. */
export const isTableContext = (context: KeyContext) => tableContexts.includes(context);
