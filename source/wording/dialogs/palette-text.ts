import { clickable } from '../../drawing/drawn-line.ts';
import { drawFrame, type FramedBox } from '../../drawing/framed-box.ts';
import { fitToWidth, partsWithEllipsis, type Span, widthOf } from '../../drawing/span.ts';
import { promptWithInput } from '../../drawing/typed-line.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKey } from '../../keys/shown-keys.ts';
import type { Theme, Tone } from '../../lines/theme.ts';
import type { DialogEntry } from '../../screen/dialog-entry.ts';
import type { PaletteResults } from '../palette/find-items.ts';
import type { PaletteItem } from '../palette/palette-item.ts';
import { historySearchPrompt } from '../phrases/history-search-text.ts';
import { dialogHints, keyLine } from './key-line.ts';

// ╭──────────────────────────────────────────────────────────────────╮
// │ :stop ve▏                                                        │
// │ ❯ Stop vega                                          active    x │
// │   Stop vega-2                                        stopped   x │
// │ 1–2 of 14 · Enter runs or asks · Esc closes · Tab completes      │
// ╰──────────────────────────────────────────────────────────────────╯

const maxPaletteWidth = 76;
const maxPaletteLines = 10;
// The lines that are not results: the header and its rule, the frame, the typed line, the line of hints, and the two
// lines below the box.
const linesBesideItems = 9;
const maxNoteWidth = 24;

/** Draws the palette: the typed text, and below it the items that match, each with a note and its key. */
export function paletteLines(
	{ line, assist }: Pick<DialogEntry, 'line' | 'assist'>,
	{ items, index }: PaletteResults,
	bindings: readonly Binding[],
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): FramedBox {
	const width = Math.min(maxPaletteWidth, columns - 2);
	const inner = width - 4;
	const room = Math.max(1, Math.min(maxPaletteLines, rows - linesBesideItems));
	const first = Math.max(0, Math.min(index - Math.floor(room / 2), items.length - room));
	const shown = items.slice(first, first + room);
	const colon: readonly Span[] = [[':', 'accent']];
	const prompt = assist?.kind === 'search' ? historySearchPrompt(assist, colon) : colon;
	const typed = promptWithInput(prompt, [line], inner, theme);
	const ghostRoom = inner - widthOf(typed, theme) - 2;
	const ghost: readonly Span[] =
		line.text === '' && assist === undefined
			? [['  '], ...partsWithEllipsis(ghostParts, ' · ', ghostRoom, theme)]
			: [];
	const noMatchLine: readonly Span[] = [[`  Nothing matches “${line.text}”`, 'faint']];
	const lines = shown.map((item, at) => itemLine(item, first + at === index, inner, theme));
	const found = lines.length > 0 ? lines : [noMatchLine];
	// The typed line stays in its place, however many items match.
	const filler = Array.from({ length: room - found.length }, (): readonly Span[] => []);
	const last = Math.min(first + room, items.length);
	const position =
		items.length > room ? `${first + 1}–${last} of ${countText(items.length)}` : undefined;
	const keys = dialogHints(bindings, {
		answeredBy: 'palette',
		accept: 'runs or asks',
		refuse: 'closes',
		others: [['completeFound', 'completes']],
	});
	const hints = keyLine(position === undefined ? keys : [position, ...keys], inner, theme);
	return drawFrame('', [[...typed, ...ghost], ...found, ...filler, hints], width, 'accent', theme);
}

/** Examples of what can be typed. */
const ghostParts = ['stop vega', 'a computer', 'a view', 'a filter', 'save hot'].map(
	(text): readonly Span[] => [[text, 'faint']],
);

function itemLine(item: PaletteItem, isChosen: boolean, width: number, theme: Theme) {
	const { note, key, isRefused } = item;
	const noteSpans: readonly Span[] = note === '' ? [] : [[note, 'faint']];
	const noteWidth = Math.min(
		widthOf(noteSpans, theme),
		Math.max(0, Math.min(maxNoteWidth, width - 30)),
	);
	const right: readonly Span[] = [
		['  '],
		...fitToWidth(noteSpans, noteWidth, theme),
		['  '],
		...fitToWidth([[shownKey(key), 'faint']], keyWidth, theme, 'right'),
	];
	const label = labelSpans(item, isRefused ? 'faint' : undefined);
	const left = fitToWidth(label, width - 2 - widthOf(right, theme), theme);
	const cursor: Span = [isChosen ? `${theme.glyphs.cursor} ` : '  ', 'accent'];
	return clickable([cursor, ...left, ...right], { type: 'found', id: item.id });
}

// Wide enough for “Ctrl-R”.
const keyWidth = 6;

/** Underlines the letters of the label that the typed text matches. */
function labelSpans({ label, places }: PaletteItem, tone: Tone | undefined): readonly Span[] {
	const matched = new Set(places);
	const spans: [string, Tone | undefined][] = [];
	for (let at = 0; at < label.length; at += 1) {
		const toneHere = matched.has(at) ? 'match' : tone;
		const last = spans.at(-1);
		if (last && last[1] === toneHere) last[0] += label[at] ?? '';
		else spans.push([label[at] ?? '', toneHere]);
	}
	return spans;
}
