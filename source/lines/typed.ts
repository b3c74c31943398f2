import { beginningOf, cellsOf, cut, endOf, type Span, slice, type Tone, widthOf } from './span.ts';

export type Typed = {
	text: string;
	caret: number;
	tone?: Tone | undefined;
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
	const { from = 0, to = 0, tone } = typed.part ?? {};
	const spans: readonly Span[] = [
		[text.slice(0, from), typed.tone],
		[text.slice(from, to), tone],
		[text.slice(to), typed.tone],
	];
	return [
		...begin,
		[isBeforeWhole ? '' : '…', 'faint'],
		...slice(spans, caret - shownBefore.length, caret),
		['▏', 'accent'],
		...slice(spans, caret, caret + shownAfter.length),
		[isAfterWhole ? '' : '…', 'faint'],
	];
}
