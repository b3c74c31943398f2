import { beginningOf, cellsOf, endOf } from './measure.ts';
import { cut, type Span, widthOf } from './span.ts';
import type { Tone } from './theme.ts';

/** The caret is an index into the text. */
export type Typed = {
	text: string;
	caret: number;
	tone?: Tone | undefined;
	/** Such as a word that is wrong. */
	part?: { from: number; to: number; tone: Tone } | undefined;
};

const minTypedCells = 8;

/** Of a line that is too long, the part around the caret is shown. */
export function typedLine(prompt: readonly Span[], typed: Typed, width: number): readonly Span[] {
	const { text, caret } = typed;
	const maxPrompt = Math.max(0, width - 1 - Math.min(minTypedCells, cellsOf(text)));
	const begin: readonly Span[] =
		widthOf(prompt) <= maxPrompt ? prompt : [...cut(prompt, maxPrompt - 1), [' ']];
	const room = width - 1 - widthOf(begin);
	const [before, after] = [text.slice(0, caret), text.slice(caret)];
	const maxAfter = Math.max(Math.floor(room / 3), room - cellsOf(before));
	const isAfterWhole = cellsOf(after) <= maxAfter;
	const shownAfter = isAfterWhole ? after : beginningOf(after, maxAfter - 1);
	const roomBefore = room - cellsOf(shownAfter) - Number(!isAfterWhole);
	const isBeforeWhole = cellsOf(before) <= roomBefore;
	const shownBefore = isBeforeWhole ? before : endOf(before, roomBefore - 1);
	return [
		...begin,
		[isBeforeWhole ? '' : '…', 'faint'],
		...toned(shownBefore, caret - shownBefore.length, typed),
		['▏', 'accent'],
		...toned(shownAfter, caret, typed),
		[isAfterWhole ? '' : '…', 'faint'],
	];
}

/** The piece begins at the index `from` of the text. */
function toned(piece: string, from: number, { tone, part }: Typed): readonly Span[] {
	const begin = Math.max(0, Math.min(piece.length, (part?.from ?? 0) - from));
	const end = Math.max(begin, Math.min(piece.length, (part?.to ?? 0) - from));
	const pieces: readonly Span[] = [
		[piece.slice(0, begin), tone],
		[piece.slice(begin, end), part?.tone],
		[piece.slice(end), tone],
	];
	return pieces.filter(([text]) => text !== '');
}
