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
import type { Click } from '../look/moves.ts';
import type { DialogEntry } from '../look/typed-line.ts';
import { type FoundItem, findPaletteItems } from '../palette/find.ts';
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

const examples = ['stop vega', 'a computer', 'a view', 'a filter', 'save hot'].map(
	(text): readonly Span[] => [[text, 'faint']],
);

export function paletteBox({ line, assist }: DialogEntry, scene: Scene): Box {
	const { actions, layout } = scene;
	const { items, index } = findPaletteItems(scene);
	const inner = innerWidthOf(layout);
	const room = Math.max(1, Math.min(maxLines, layout.rows - linesBesideItems));
	const first = Math.max(0, Math.min(index - Math.floor(room / 2), items.length - room));
	const prompt = historyPrompt(assist, [[':', 'accent']]);
	const typed = typedLine(prompt, line, inner);
	const isEmpty = line.text === '' && assist === undefined;
	const hints = isEmpty ? fitList(examples, inner - widthOf(typed) - 2, ' · ') : [];
	const seen = items.slice(first, first + room);
	const none: readonly Span[] = [[`  Nothing matches “${line.text}”`, 'faint']];
	// The typed line stays in its place, however many items match.
	const lines = Array.from({ length: room }, (_, at): readonly Span[] => {
		const item = seen[at];
		if (item) return itemLine(item, first + at === index, inner);
		return at === 0 ? none : [];
	});
	const isCut = items.length > room;
	const position = isCut
		? `${first + 1}–${first + seen.length} of ${countText(items.length)} · `
		: '';
	const keys = keyHints(actions, [
		['choose', 'runs or asks'],
		['back', 'closes'],
		['completeFound', 'completes'],
	]);
	const below: readonly Span[] = [[position, 'faint'], ...keyLine(keys, inner - position.length)];
	return boxAround('', [[...typed, ['  '], ...hints], ...lines, below], layout);
}

const maxNoteCells = 24;
// Wide enough for “Ctrl-R”.
const keyCells = 6;

function itemLine(item: FoundItem, isChosen: boolean, width: number): readonly Span[] {
	const { id, label, note = '', key = '', places, isRefused } = item;
	const matches = places.toSorted((a, b) => a - b).map(at => ({ from: at, to: at + 1 }));
	const left: readonly Span[] = [
		[isChosen ? '❯ ' : '  ', 'accent'],
		...withMatches([[label, isRefused ? 'faint' : undefined]], matches),
	];
	const right: readonly Span[] = [
		['  '],
		...cut([[note, 'faint']], Math.max(0, Math.min(maxNoteCells, width - 30))),
		['  '],
		...fitTo([[shownKey(key), 'faint']], keyCells, 'right'),
	];
	const click: Click = { type: 'found', id };
	return clickable(justify(left, right, width), click);
}

export function chosenItem(scene: Scene): FoundItem | undefined {
	const { items, index } = findPaletteItems(scene);
	return items[index];
}

export function spokenItem(scene: Scene): string {
	const { items, index } = findPaletteItems(scene);
	const { label, note, key } = items[index] ?? {};
	if (label === undefined) return `Nothing matches “${scene.screen.entry?.line.text ?? ''}”.`;
	const parts = [label, note ? spellOut(note) : '', key ? `key ${spokenKey(key)}` : ''];
	return `${index + 1} of ${items.length}: ${parts.filter(Boolean).join(', ')}.`;
}
