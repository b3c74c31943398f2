import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	type HistorySearch,
	type HistoryWalk,
	type TypedLine,
	typedLineFrom,
} from './typed-line.ts';
import type { Filters, View } from './view-table.ts';

/**
 * Where the line comes from, if the person did not type it letter by letter: from the history or a completion, for
 * example. The next edit clears this.
 */
export type LineAssist =
	| HistoryWalk
	| HistorySearch
	| { readonly kind: 'completion'; readonly base: TypedLine; readonly index: number }
	| { readonly kind: 'rows'; readonly steps: number };

/** The input of a person into the open dialog so far. */
export type DialogEntry = {
	/** The dialog that the entry belongs to. For any other dialog, the entry counts as empty. */
	readonly id: object | string;
	readonly line: TypedLine;
	readonly answers: readonly string[];
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
