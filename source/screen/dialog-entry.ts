import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { HistorySearch, HistoryWalk } from './line-history.ts';
import { type TypedLine, typedLineFrom } from './typed-line.ts';
import type { Filters, View } from './view-table.ts';

/**
 * Where the line comes from, if the person did not type it letter by letter: from the history or a completion, for
 * example. The next edit clears this.
 */
export type LineAssist =
	| HistoryWalk
	| HistorySearch
	/** The line before the completion, and the index of the chosen completion. */
	| { readonly kind: 'completion'; readonly base: TypedLine; readonly index: number }
	/** How many rows the cursor was moved down in the table below the line. */
	| { readonly kind: 'rows'; readonly steps: number };

/** The input of a person into the open dialog so far. */
export type DialogEntry = {
	/** The dialog that the entry belongs to. For any other dialog, the entry counts as empty. */
	readonly id: object | string;
	/** The typed line. For a password it holds a dot for each letter, never the letters. */
	readonly line: TypedLine;
	/** The answers to the steps before the current one. */
	readonly answers: readonly string[];
	/** Why the last answer was refused. */
	readonly problem?: string | undefined;
	readonly assist?: LineAssist | undefined;
};

/** Returns the entry of the dialog with this id. The entry is empty if the latest entry belongs to another dialog. */
export function dialogEntryFor(
	latest: DialogEntry | undefined,
	id: object | string,
	initialText = '',
): DialogEntry {
	return latest?.id === id ? latest : { id, line: typedLineFrom(initialText), answers: [] };
}

/** Returns the entry of the filter field. A filter that is applied already is followed by a space, for another word. */
export const filterEntryFor = (latest: DialogEntry | undefined, filter: string): DialogEntry =>
	dialogEntryFor(latest, 'filter', filter === '' ? '' : `${filter.trimEnd()} `);

/**
 * The table behind a question, as it was when a person asked: a question is about what it named when it opened, also when
 * the filter shows other rows meanwhile.
 */
export type TableWhenAsked = {
	readonly screen: { readonly view: View; readonly filters: Filters };
	readonly ids: readonly GlobalId[];
	/** The rows that were on screen although the filter hid them. */
	readonly keptIds: ReadonlySet<GlobalId>;
};

/** The dialog that the terminal shows, and the time at which it became visible to a person. */
export type SeenDialog = {
	readonly id: object | string;
	/** The step of the dialog that the terminal shows. */
	readonly step: number;
	readonly visibleSince: number;
	/** When a typed confirmation last ignored a key, because the person may not have read it. */
	readonly ignoredKeyAt?: number;
	/** Whether a typed confirmation takes letters, because there was a pause before the first one. */
	readonly takesLetters?: boolean;
	/** Whether the terminal is too small for the text that a person must read before answering. */
	readonly isCut?: boolean;
};

/** What confirms is ignored for this long after it becomes visible, because a person cannot have read it yet. */
export const readingTimeMs = 300;

/** Whether the present step of a dialog is not visible yet, or became visible only a moment ago. */
export function isTooNewToConfirm(
	seen: SeenDialog | undefined,
	{ id, answers }: DialogEntry,
	now: number,
): boolean {
	const isSeen = seen?.id === id && seen.step === answers.length;
	return !isSeen || now - seen.visibleSince < readingTimeMs;
}
