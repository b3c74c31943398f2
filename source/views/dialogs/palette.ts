import { countText } from '../../foundation/number-text.ts';
import { fitList } from '../../lines/parts.ts';
import { spellOut } from '../../lines/print.ts';
import {
	clickable,
	cut,
	fitTo,
	justify,
	type Span,
	widthOf,
	withMatches,
} from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import { shownKey, spokenKey } from '../actions/shown-keys.ts';
import type { DialogEntry } from '../look/dialogs.ts';
import type { Click } from '../look/moves.ts';
import type { FoundItem } from '../palette/find.ts';
import { findPaletteItems } from '../palette/find.ts';
import { historyPrompt } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { type Box, boxAround, innerWidthOf, keyHints, keyLine } from './dialog.ts';

// ╭──────────────────────────────────────────────────────────────────╮
// │ :stop ve▏                                                        │
// │ ❯ Stop vega                                          active    x │
// │   Stop vega-2                                        stopped   x │
// │ 1–2 of 14 · Enter runs or asks · Esc closes · Tab completes      │
// ╰──────────────────────────────────────────────────────────────────╯

const maxLines = 10;
// The header and its rule, the frame, the typed line, the line of hints, and the two lines below the box.
const linesBesideItems = 9;

export function paletteBox(
	{ line, assist }: Pick<DialogEntry, 'line' | 'assist'>,
	scene: Scene,
): Box {
	const { actions, layout } = scene;
	const { items, index } = findPaletteItems(scene);
	const inner = innerWidthOf(layout);
	const room = Math.max(1, Math.min(maxLines, layout.rows - linesBesideItems));
	const first = Math.max(0, Math.min(index - Math.floor(room / 2), items.length - room));
	const colon: readonly Span[] = [[':', 'accent']];
	const prompt = assist?.kind === 'search' ? historyPrompt(assist, colon) : colon;
	const typed = typedLine(prompt, line, inner);
	const isEmpty = line.text === '' && assist === undefined;
	const hints = isEmpty ? fitList(examples, inner - widthOf(typed) - 2, ' · ') : [];
	const found = items
		.slice(first, first + room)
		.map((item, at) => itemLine(item, first + at === index, inner));
	const noMatch: readonly Span[] = [[`  Nothing matches “${line.text}”`, 'faint']];
	const lines = found.length > 0 ? found : [noMatch];
	// The typed line stays in its place, however many items match.
	const blanks = Array.from({ length: room - lines.length }, (): readonly Span[] => []);
	const keys = keyHints(actions, [
		['choose', 'runs or asks'],
		['back', 'closes'],
		['completeFound', 'completes'],
	]);
	const position = `${first + 1}–${Math.min(first + room, items.length)} of ${countText(items.length)}`;
	const below: readonly Span[] =
		items.length > room
			? [[`${position} · `, 'faint'], ...keyLine(keys, inner - position.length - 3)]
			: keyLine(keys, inner);
	return boxAround('', [[...typed, ['  '], ...hints], ...lines, ...blanks, below], layout);
}

const examples = ['stop vega', 'a computer', 'a view', 'a filter', 'save hot'].map(
	(text): readonly Span[] => [[text, 'faint']],
);

const maxNoteCells = 24;
// Wide enough for “Ctrl-R”.
const keyCells = 6;

function itemLine(item: FoundItem, isChosen: boolean, width: number): readonly Span[] {
	const { note = '', key = '' } = item;
	const right: readonly Span[] = [
		['  '],
		...cut([[note, 'faint']], Math.max(0, Math.min(maxNoteCells, width - 30))),
		['  '],
		...fitTo([[shownKey(key), 'faint']], keyCells, 'right'),
	];
	const cursor: Span = [isChosen ? '❯ ' : '  ', 'accent'];
	const click: Click = { type: 'found', id: item.id };
	return clickable(justify([cursor, ...labelSpans(item)], right, width), click);
}

function labelSpans({ label, places, isRefused }: FoundItem): readonly Span[] {
	const matches = places.toSorted((a, b) => a - b).map(at => ({ from: at, to: at + 1 }));
	return withMatches([[label, isRefused ? 'faint' : undefined]], matches);
}

export function chosenItem(scene: Scene): FoundItem | undefined {
	const { items, index } = findPaletteItems(scene);
	return items[index];
}

export function spokenItem(scene: Scene): string {
	const { items, index } = findPaletteItems(scene);
	const item = items[index];
	if (!item) return `Nothing matches “${scene.screen.entry?.line.text ?? ''}”.`;
	const key = item.key ? `, key ${spokenKey(item.key)}` : '';
	const note = item.note ? `, ${spellOut(item.note)}` : '';
	return `${index + 1} of ${items.length}: ${item.label}${note}${key}.`;
}
