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

/** The dialog that the terminal shows, and the time at which it became visible to a person. */
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

/** A line that a person types, with the caret as an index into the text. */
export type TypedLine = { readonly text: string; readonly caret: number };

/** The place to which the caret moves, or up to which text is erased. */
export type Motion = 'left' | 'right' | 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd';

/** A change to a typed line. A paste is a change of its own, because a typed confirmation refuses it. */
export type Edit =
	| { type: 'insert' | 'paste'; text: string }
	| { type: 'move' | 'erase'; to: Motion };

/** Returns a line with the caret at its end. */
export const lineOf = (text: string): TypedLine => ({ text, caret: text.length });

/** The one line editor: every text field of the monitor applies its edits with this function. */
export function withEdit(line: TypedLine, edit: Edit): TypedLine {
	const { text, caret } = line;
	if ('text' in edit) {
		const before = text.slice(0, caret) + edit.text;
		return { text: before + text.slice(caret), caret: before.length };
	}
	const to = caretAfter(line, edit.to);
	if (edit.type === 'move') return { text, caret: to };
	const [from, end] = [Math.min(caret, to), Math.max(caret, to)];
	return { text: text.slice(0, from) + text.slice(end), caret: from };
}

function caretAfter({ text, caret }: TypedLine, to: Motion): number {
	const [before, after] = [text.slice(0, caret), text.slice(caret)];
	switch (to) {
		case 'lineStart':
			return 0;
		case 'lineEnd':
			return text.length;
		case 'left':
			return caret - (lettersOf(before).at(-1)?.length ?? 0);
		case 'right':
			return caret + (lettersOf(after)[0]?.length ?? 0);
		case 'wordLeft':
			return before.replace(/\S*\s*$/, '').length;
		case 'wordRight':
			return text.length - after.replace(/^\s*\S*/, '').length;
	}
}

// A letter may consist of several code points, such as an emoji with a skin tone. The caret never divides it.
function lettersOf(text: string): readonly string[] {
	return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
