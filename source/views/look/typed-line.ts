import { charactersOf } from '../../lines/span.ts';

export type TypedLine = { readonly text: string; readonly caret: number };

export type CaretMotion = 'left' | 'right' | 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd';

/** A change to a typed line. A paste is a change of its own, because a typed confirmation refuses it. */
export type Edit =
	| { type: 'insert' | 'paste'; text: string }
	| { type: 'move' | 'erase'; to: CaretMotion };

export const typedLineFrom = (text: string): TypedLine => ({ text, caret: text.length });

export function maskedLine({ text, caret }: TypedLine): TypedLine {
	const dotsFor = (letters: string) => '•'.repeat(Array.from(letters).length);
	return { text: dotsFor(text), caret: dotsFor(text.slice(0, caret)).length };
}

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

// A letter may consist of several code points, such as an emoji with a skin tone. The caret never divides it.
function caretAfter({ text, caret }: TypedLine, to: CaretMotion): number {
	const [before, after] = [text.slice(0, caret), text.slice(caret)];
	switch (to) {
		case 'lineStart':
			return 0;
		case 'lineEnd':
			return text.length;
		case 'left':
			return caret - (charactersOf(before).at(-1)?.length ?? 0);
		case 'right':
			return caret + (charactersOf(after)[0]?.length ?? 0);
		case 'wordLeft':
			return before.replace(/\S*\s*$/, '').length;
		case 'wordRight':
			return text.length - after.replace(/^\s*\S*/, '').length;
	}
}

export type LineHistories = Readonly<Record<string, readonly string[]>>;

export const maxHistoryLines = 100;

export function withLineEntered(
	histories: LineHistories,
	field: string,
	line: string,
): LineHistories {
	const text = line.trim();
	if (text === '') return histories;
	const others = (histories[field] ?? []).filter(each => each !== text);
	return { ...histories, [field]: [...others, text].slice(-maxHistoryLines) };
}

/** The way down from the newest line leads to the draft. */
type HistoryWalk = {
	readonly kind: 'recall';
	readonly draft: TypedLine;
	/** Counted from the newest line, as in a search. */
	readonly index: number;
};

export type HistorySearch = {
	readonly kind: 'search';
	readonly draft: TypedLine;
	readonly typed: string;
	readonly index: number | undefined;
};

/** Undefined at either end of the history. */
export function recalledLine(
	lines: readonly string[],
	line: TypedLine,
	recall: HistoryWalk | undefined,
	direction: 1 | -1,
): { line: TypedLine; assist: HistoryWalk | undefined } | undefined {
	const draft = recall?.draft ?? line;
	const index = (recall?.index ?? -1) - direction;
	if (index === -1 && recall) return { line: draft, assist: undefined };
	const text = index < 0 ? undefined : lines.at(-1 - index);
	if (text === undefined) return undefined;
	return { line: typedLineFrom(text), assist: { kind: 'recall', draft, index } };
}

export function foundLine(
	lines: readonly string[],
	search: Omit<HistorySearch, 'index'>,
	fromIndex: number,
): { line: TypedLine; assist: HistorySearch } {
	const typed = search.typed.toLowerCase();
	for (let index = fromIndex; typed !== '' && index < lines.length; index += 1) {
		const text = lines.at(-1 - index) ?? '';
		const at = text.toLowerCase().indexOf(typed);
		if (at >= 0) return { line: { text, caret: at }, assist: { ...search, index } };
	}
	return { line: search.draft, assist: { ...search, index: undefined } };
}

// The line of the field, menu or question that is open

/** Where a line comes from that was not typed letter by letter. The next edit clears this. */
export type LineAssist =
	| HistoryWalk
	| HistorySearch
	| { readonly kind: 'completion'; readonly base: TypedLine; readonly index: number }
	| { readonly kind: 'rows'; readonly steps: number }
	| { readonly kind: 'replaced' };

export type DialogEntry = {
	readonly id: object | string;
	readonly line: TypedLine;
	readonly answers: readonly string[];
	/** Of what has no room in the dialog; after the last page comes the first. */
	readonly page?: number;
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
