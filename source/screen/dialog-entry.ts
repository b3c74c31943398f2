import { lineOf, type TypedLine } from './typed-line.ts';

/** What a person has entered into the open dialog so far. */
export type DialogEntry = {
	/** Identifies the dialog. An entry for another dialog does not count. */
	readonly id: object | string;
	/** The typed line. For a password it holds a dot for each letter, never the letters. */
	readonly line: TypedLine;
	/** The answers to the steps before the current one. */
	readonly answers: readonly string[];
	/** Why the last answer was refused. */
	readonly problem?: string | undefined;
};

/** Returns the entry of the dialog with this id, which is new if the latest entry belongs to another dialog. */
export function entryFor(
	latest: DialogEntry | undefined,
	id: object | string,
	initialText = '',
): DialogEntry {
	return latest?.id === id ? latest : { id, line: lineOf(initialText), answers: [] };
}

/** The dialog that the terminal shows, and the time since when a person can see it. */
export type SeenDialog = { readonly id: object | string; readonly visibleSince: number };

/** A dialog ignores keys for this long after it becomes visible, because a person cannot have read it yet. */
const ignoreKeysForMs = 300;

/** Whether the dialog with this id is not visible yet, or became visible only a moment ago. */
export function isTooNewForKeys(
	seen: SeenDialog | undefined,
	id: object | string,
	now: number,
): boolean {
	return seen?.id !== id || now - seen.visibleSince < ignoreKeysForMs;
}
