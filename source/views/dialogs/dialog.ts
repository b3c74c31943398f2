import { countText } from '../../foundation/number-text.ts';
import { joinedParts, type Part, part, partsThatFit } from '../../lines/parts.ts';
import { cellsOf, cut, fitTo, type Span, type Tone, wrap } from '../../lines/span.ts';
import { type Typed, typedLine } from '../../lines/typed.ts';
import { keyHint, shownKeyOf, yesKeyOf } from '../keys.ts';
import type { Action } from '../scene.ts';

// ╭ Delete atlas? ───────────────────────────────────────────────────╮
// │ Erases it for good: workspace, chat history, packages, settings. │
// │ sb_atlas01, active for 6 d 4 h, publishes port 8080              │
// │ crowsnest delete atlas --yes                                     │
// │ Type its name to delete it: atl▏                                 │
// │ Enter deletes · Esc cancels · Ctrl-Y copies the command          │
// ╰──────────────────────────────────────────────────────────────────╯

export type Dialog = {
	title: string;
	tone: Tone;
	lines: readonly Span[];
	/** How many of the first lines a person must read before answering. Where they do not fit, no answer is taken. */
	essentialCount?: number;
	command?: string | undefined;
	page?: number | undefined;
	more?: string | undefined;
	problem?: string | undefined;
	/** Empty if nothing has changed since the dialog opened. */
	news?: string | undefined;
	prompt?: readonly Span[] | undefined;
	typed?: Typed | undefined;
	/** The most important hint comes first. */
	hints: readonly string[];
};

export type Box = {
	lines: readonly (readonly Span[])[];
	width: number;
	isCut?: boolean;
};

type Size = { columns: number; rows: number };

const maxWidth = 76;
const maxCommandLines = 2;
const frameLines = 2;
const keyLines = 1;

export const innerWidthOf = ({ columns }: Size) => Math.min(maxWidth, columns - 2) - 4;

function boxAround(
	title: string,
	lines: readonly (readonly Span[])[],
	{ columns }: Size,
	tone: Tone = 'accent',
): Box {
	const width = Math.min(maxWidth, columns - 2);
	const titleCells = title === '' ? 0 : Math.min(width - 2, cellsOf(title) + 2);
	const heading = titleCells > 0 ? fitTo([[` ${title} `, 'strong']], titleCells) : [];
	const framed = lines.map((spans): readonly Span[] => [
		['│ ', tone],
		...fitTo(spans, width - 4),
		[' │', tone],
	]);
	const top: readonly Span[] = [
		['╭', tone],
		...heading,
		[`${'─'.repeat(width - 2 - titleCells)}╮`, tone],
	];
	return { width, lines: [top, ...framed, [[`╰${'─'.repeat(width - 2)}╯`, tone]]] };
}

type List<T> = {
	above?: readonly (readonly Span[])[];
	items: readonly T[];
	draw: (item: T, isChosen: boolean) => readonly Span[];
	chosen: number;
	room: number;
	below?: readonly (readonly Span[])[];
	hints: readonly string[];
};

export function listBox<T>(title: string, list: List<T>, size: Size): Box {
	const { above = [], items, draw, chosen, room, below = [], hints } = list;
	const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), items.length - room));
	const seen = items.slice(first, first + room);
	const lines = seen.map((item, at) => draw(item, first + at === chosen));
	const position =
		items.length > room
			? `${first + 1}–${first + seen.length} of ${countText(items.length)} · `
			: '';
	const keys = keyLine(hints, innerWidthOf(size) - position.length);
	return boxAround(title, [...above, ...lines, ...below, [[position, 'faint'], ...keys]], size);
}

/** The typed text and the keys are always in sight. Of what does not fit above them, a page is seen. */
export function dialogBox(dialog: Dialog, size: Size): Box {
	const { title, tone, lines, essentialCount = 0, command, prompt = [], typed, hints } = dialog;
	const { news, problem, page = 0, more: hint = '' } = dialog;
	const inner = innerWidthOf(size);
	const wrapped = (spans: readonly Span[]) => spans.flatMap(span => wrap([span], inner));
	const isTitleWhole = cellsOf(title) <= inner;
	const head = isTitleWhole ? [] : wrapped([[title, 'strong']]);
	const essential = [...head, ...wrapped(lines.slice(0, essentialCount))];
	const others = [...wrapped(lines.slice(essentialCount)), ...commandLines(command, inner)];
	const field = typed ? [typedLine(prompt, typed, inner)] : [];
	const around = frameLines + field.length + keyLines;
	const isCut = essential.length + around > size.rows;
	const room = Math.max(0, size.rows - around - essential.length);
	// A line is kept for news, so that nothing moves when they come.
	const noted: readonly Span[] = [
		...(problem ? [[problem, 'bad'] as const] : []),
		...(news !== undefined && (news !== '' || !problem) ? [[news, 'busy'] as const] : []),
	];
	const notes = wrapped(noted).slice(0, room);
	const isWhole = others.length + notes.length <= room;
	const left = isWhole ? others : pageOf(others, room - notes.length, page, hint);
	const refusal = `Needs ${essential.length + around} rows`;
	const keys = keyLine(isCut ? [refusal, ...hints.slice(1)] : hints, inner);
	const seen = essential.slice(0, size.rows - around);
	const all = [...seen, ...left, ...notes, ...field, keys];
	return { ...boxAround(isTitleWhole ? title : '', all, size, tone), isCut };
}

//  3–5 of 12 lines · PageDown shows the next

function pageOf(
	lines: readonly (readonly Span[])[],
	room: number,
	page: number,
	hint: string,
): readonly (readonly Span[])[] {
	if (room < 2) return room < 1 ? [] : [[['…']]];
	const size = room - 1;
	const pages = Math.ceil(lines.length / size);
	const first = Math.min((((page % pages) + pages) % pages) * size, lines.length - size);
	const position = `${first + 1}–${first + size} of ${lines.length} lines`;
	const end: Span = [hint === '' ? position : `${position} · ${hint}`, 'faint'];
	return [...lines.slice(first, first + size), [end]];
}

/** A command with many names is cut. The key that copies it copies all of it. */
function commandLines(command: string | undefined, inner: number): readonly (readonly Span[])[] {
	const lines = command === undefined ? [] : wrap([[command, 'faint']], inner);
	if (lines.length <= maxCommandLines) return lines;
	const [begin = [], end = []] = lines;
	return [begin, cut([...end, [' …', 'faint']], inner)];
}

export type KeyHint = readonly [action: string, effect: string];

/** An action without a key has no hint. */
export const keyHints = (actions: readonly Action[], hints: readonly KeyHint[]) =>
	hints.map(([action, effect]) => keyHint({ actions }, action, effect)).filter(Boolean);

/** For a dialog that a letter answers. The key that opened it never confirms it. */
export function letterHints(
	actions: readonly Action[],
	openingKey: string | undefined,
	accept: string,
	refuse: string,
	others: readonly KeyHint[],
): readonly string[] {
	const no = shownKeyOf(actions, 'no') === undefined ? 'closeDialog' : 'no';
	const yes = `${yesKeyOf(actions, openingKey)} ${accept}`;
	return [yes, ...keyHints(actions, [[no, refuse], ...others])];
}

/** The key that refuses always stays, because a person must see how to leave a question. */
export function keyLine(hints: readonly string[], width: number): readonly Span[] {
	const parts = hints.flatMap((hint, group): readonly Part[] => {
		const keyEnd = group === 1 ? hint.indexOf(' ') : hint.length;
		return [
			{ ...part(group === 0 ? 1 : group === 1 ? 0 : 3, hint.slice(0, keyEnd), 'faint'), group },
			{ ...part(2, hint.slice(keyEnd), 'faint'), group },
		];
	});
	const gap = { within: '', groups: [' · ', 'faint'] } as const;
	return joinedParts(partsThatFit(parts, width, gap), gap);
}
