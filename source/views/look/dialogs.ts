import {
	type HistorySearch,
	type HistoryWalk,
	type TypedLine,
	typedLineFrom,
} from './typed-line.ts';

/** Where a line comes from that was not typed letter by letter. The next edit clears this. */
export type LineAssist =
	| HistoryWalk
	| HistorySearch
	| { readonly kind: 'completion'; readonly base: TypedLine; readonly index: number }
	| { readonly kind: 'rows'; readonly steps: number };

export type DialogEntry = {
	readonly id: object | string;
	readonly line: TypedLine;
	readonly answers: readonly string[];
	readonly problem?: string | undefined;
	readonly assist?: LineAssist | undefined;
};

export function dialogEntryFor(
	latest: DialogEntry | undefined,
	id: object | string,
	initialText = '',
): DialogEntry {
	return latest?.id === id ? latest : { id, line: typedLineFrom(initialText), answers: [] };
}

/** A filter that is applied already is followed by a space, for another word. */
export const filterEntryFor = (latest: DialogEntry | undefined, filter: string): DialogEntry =>
	dialogEntryFor(latest, 'filter', filter === '' ? '' : `${filter.trimEnd()} `);

export type SeenDialog = {
	readonly id: object | string;
	readonly step: number;
	readonly visibleSince: number;
	/** When a typed confirmation last ignored a key, because the person may not have read it. */
	readonly ignoredKeyAt?: number;
	/** A typed confirmation takes letters after a pause before the first one. */
	readonly takesLetters?: boolean;
	readonly isCut?: boolean;
};
