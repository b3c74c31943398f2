/** A line that a person types, with the caret as an index into the text. */
export type TypedLine = { readonly text: string; readonly caret: number };

/** The place to which the caret moves, or up to which text is erased. */
export type CaretMotion = 'left' | 'right' | 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd';

/** A change to a typed line. A paste is a change of its own, because a typed confirmation refuses it. */
export type Edit =
	| { type: 'insert' | 'paste'; text: string }
	| { type: 'move' | 'erase'; to: CaretMotion };

/** Returns a line with the caret at its end. */
export const typedLineFrom = (text: string): TypedLine => ({ text, caret: text.length });

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

function caretAfter({ text, caret }: TypedLine, to: CaretMotion): number {
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

/** Matches a text in which every character is a letter of its own. */
const plainText = /^[ -~]*$/;

// A letter may consist of several code points, such as an emoji with a skin tone. The caret never divides it.
function lettersOf(text: string): readonly string[] {
	// A segmenter takes longer than everything else that a key does to a line.
	if (plainText.test(text)) return [...text];
	return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
