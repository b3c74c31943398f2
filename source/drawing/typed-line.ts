import type { Theme, Tone } from '../lines/theme.ts';
import { cutWithEllipsis, type Span, widthOf } from './span.ts';

/** A line that is being typed, with the caret as an index into its text. */
export type LineWithCaret = readonly [
	line: { text: string; caret: number },
	tone?: Tone | undefined,
	/** A part of the text with another tone, such as a word that is wrong. */
	part?: { from: number; to: number; tone: Tone } | undefined,
];

const minTypedCells = 8;

/**
 * Draws a prompt and the typed line with its caret. If the line is too long, the part around the caret is shown, with
 * an ellipsis at each end that is cut off.
 */
export function promptWithInput(
	prompt: readonly Span[],
	[{ text, caret: caretAt }, tone, part]: LineWithCaret,
	width: number,
	theme: Theme,
): readonly Span[] {
	const { ruler, glyphs } = theme;
	const caret: Span = [glyphs.caret, 'accent'];
	const maxPrompt = Math.max(0, width - 1 - Math.min(minTypedCells, ruler.width(text)));
	const isWhole = widthOf(prompt, theme) <= maxPrompt;
	const begin: readonly Span[] = isWhole
		? prompt
		: [...cutWithEllipsis(prompt, maxPrompt - 1, theme), [' ']];
	const room = width - 1 - widthOf(begin, theme);
	const [before, after] = [text.slice(0, caretAt), text.slice(caretAt)];
	const maxAfter = Math.max(Math.floor(room / 3), room - ruler.width(before));
	const isAfterWhole = ruler.width(after) <= maxAfter;
	const shownAfter = isAfterWhole ? after : ruler.beginning(after, maxAfter - 1);
	const cutAfter: readonly Span[] =
		isAfterWhole || maxAfter < 1 ? [] : [[glyphs.ellipsis, 'faint']];
	const roomBefore = room - ruler.width(shownAfter) - widthOf(cutAfter, theme);
	const shownBefore = endingThatFits(before, roomBefore, theme);
	const isBeforeCut = shownBefore !== before && roomBefore > 0;
	const toned = (piece: string, from: number) => tonedPieces(piece, from, tone, part);
	return [
		...begin,
		...(isBeforeCut ? [[glyphs.ellipsis, 'faint'] as const] : []),
		...toned(shownBefore, caretAt - shownBefore.length),
		caret,
		...toned(shownAfter, caretAt),
		...cutAfter,
	];
}

/** Gives each letter of a piece its tone. The piece begins at the index `from` of the text. */
function tonedPieces(
	piece: string,
	from: number,
	tone: Tone | undefined,
	part: LineWithCaret[2],
): readonly Span[] {
	const begin = Math.max(0, Math.min(piece.length, (part?.from ?? 0) - from));
	const end = Math.max(begin, Math.min(piece.length, (part?.to ?? 0) - from));
	const pieces: readonly Span[] = [
		[piece.slice(0, begin), tone],
		[piece.slice(begin, end), part?.tone],
		[piece.slice(end), tone],
	];
	return pieces.filter(([text]) => text !== '');
}

/** Returns the longest end of a text that fits. If the text is cut, a cell stays free for the ellipsis. */
function endingThatFits(text: string, width: number, { ruler }: Theme): string {
	if (ruler.width(text) <= width) return text;
	const segments = [...ruler.segments(text)];
	let room = width - 1;
	let end = '';
	for (let last = segments.pop(); last !== undefined; last = segments.pop()) {
		room -= ruler.width(last);
		if (room < 0) break;
		end = last + end;
	}
	return end;
}
