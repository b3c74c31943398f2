import type { OrderField } from '../../fleet/computers/fields.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { CompleteFilter } from '../../fleet/filters/completion.ts';
import type { FleetRow } from '../../store/selectors.ts';
import {
	type HeadingId,
	isHeadingId,
	isHelpOpen,
	isMap,
	type LineId,
	type Screen,
} from './screen.ts';
import { endScrollPosition } from './view-table.ts';

type Identified = { id: LineId };

export type Heading = {
	id: HeadingId;
	label: string;
	/** All of the group, including those that it hides while it is folded. */
	rows: readonly FleetRow[];
	isFolded: boolean;
};

export type TableLine = FleetRow | Heading;

export const isHeading = (line: TableLine | undefined): line is Heading =>
	line !== undefined && 'isFolded' in line;

export const computersIn = (lines: readonly TableLine[]): readonly FleetRow[] =>
	lines.flatMap(line => (isHeading(line) ? [] : line));

export type MapCell = {
	rows: readonly FleetRow[];
	/** It decides how the cell looks. */
	worst: FleetRow;
};

export type Viewport = {
	/** What the cursor moves through, including what is outside the window. */
	lines: readonly Identified[];
	/** The computers that pass the filter. */
	ids: readonly GlobalId[];
	maxRows: number;
	maxScroll: () => number;
	choiceList: () => ChoiceList | undefined;
	/** The lines for the filter and the order of this screen. */
	linesFor: (screen: Screen) => readonly Identified[];
	mapCells: (screen: Screen) => readonly (readonly (readonly MapCell[])[])[];
	/** The fields of the visible columns that can be ordered by, from left to right. */
	orderableFields: readonly OrderField[];
};

export type VisibleRows = Omit<Viewport, 'lines'> & {
	lines: readonly TableLine[];
	allRows: readonly FleetRow[];
	orderedRows: readonly FleetRow[];
	/** Those that the filter leaves, and those that stay because of an operation on them; folded groups have theirs too. */
	rows: readonly FleetRow[];
	keptIds: ReadonlySet<GlobalId>;
	filterCompletions: CompleteFilter;
};

/** What is not about the open text. */
export type RowsShown = Omit<VisibleRows, 'choiceList' | 'linesFor' | 'mapCells' | 'maxScroll'>;

export const clamp = (index: number, count: number) => Math.max(0, Math.min(index, count - 1));

/** If what was under the cursor is gone, what stands in its place counts. */
function presentIndex<Id>(
	cursor: { id: Id; index: number } | undefined,
	lines: readonly { id: Id }[],
): number {
	if (!cursor) return Math.min(0, lines.length - 1);
	const isHere = lines[cursor.index]?.id === cursor.id;
	const index = isHere ? cursor.index : lines.findIndex(({ id }) => id === cursor.id);
	return index >= 0 ? index : Math.min(cursor.index, lines.length - 1);
}

// In the table

/** From a group that is gone, the cursor goes to another group, so that no key acts on a computer that nobody chose. */
export function cursorIndex({ cursor, open }: Screen, lines: readonly Identified[]): number {
	const index = presentIndex(cursor, lines);
	if (!cursor) return index;
	const isHere = lines[index]?.id === cursor.id;
	const isOnHeading = isHeadingId(cursor.id);
	if (open?.kind === 'filter' && (!isHere || isOnHeading)) return firstComputerIndex(lines);
	if (isHere || !isOnHeading) return index;
	return Math.max(0, headingIndex(lines, index));
}

const firstComputerIndex = (lines: readonly Identified[]) =>
	Math.max(
		Math.min(0, lines.length - 1),
		lines.findIndex(({ id }) => !isHeadingId(id)),
	);

export const headingIndex = (lines: readonly Identified[], index: number): number =>
	lines.findLastIndex(({ id }, at) => at <= index && isHeadingId(id));

type Seen = { screen: Screen; shown: Pick<VisibleRows, 'lines'> };

export const lineUnderCursor = ({ screen, shown }: Seen): TableLine | undefined =>
	shown.lines[cursorIndex(screen, shown.lines)];

/** Undefined on the heading of a group, where no key acts on a computer. */
export function rowUnderCursor(seen: Seen): FleetRow | undefined {
	const line = lineUnderCursor(seen);
	return isHeading(line) ? undefined : line;
}

export function idUnderCursor(screen: Screen, lines: readonly Identified[]): GlobalId | undefined {
	const id = lines[cursorIndex(screen, lines)]?.id;
	return isHeadingId(id) ? undefined : id;
}

/** The cursor stays visible, and moves by as few lines as possible. */
export function firstVisibleRow(
	screen: Screen,
	{ lines, maxRows }: Pick<Viewport, 'lines' | 'maxRows'>,
): number {
	const index = cursorIndex(screen, lines);
	const { line = 0, isAtTop } = screen.cursor ?? {};
	if (isAtTop) return Math.max(0, index - Math.max(0, maxRows - 1));
	const first = Math.max(0, Math.min(index - clamp(line, maxRows), lines.length - maxRows));
	// Where only the heading of its group is above, it is shown as well.
	return first === 1 && isHeadingId(lines[0]?.id) && index < maxRows ? 0 : first;
}

export function withCursorAt(
	screen: Screen,
	index: number,
	viewport: Viewport,
	column?: number,
): Screen {
	const id = viewport.lines[index]?.id;
	if (id === undefined) return screen;
	const line = clamp(index - firstVisibleRow(screen, viewport), viewport.maxRows);
	return { ...screen, scroll: 0, cursor: { id, index, line, column, isAtTop: index === 0 } };
}

/** A cursor that nobody has moved yet stays on the computer that was first when the rows appeared. */
export function withCursorFollowing(screen: Screen, viewport: Viewport): Screen {
	const index = cursorIndex(screen, viewport.lines);
	const id = viewport.lines[index]?.id;
	const { cursor = { isAtTop: true } } = screen;
	if (id === undefined || (screen.cursor?.id === id && screen.cursor.index === index))
		return screen;
	const line = index - firstVisibleRow(screen, viewport);
	return { ...screen, cursor: { ...cursor, id, index, line } };
}

/** If the first row is in sight, it stays in sight while nobody uses the monitor. */
export function withTopKept(screen: Screen, viewport: Viewport): Screen {
	const { cursor } = screen;
	if (!cursor || cursor.isAtTop || firstVisibleRow(screen, viewport) > 0) return screen;
	return { ...screen, cursor: { ...cursor, isAtTop: true } };
}

/** So that no key acts on a computer out of sight, a cursor beyond the first page goes to the first row. */
export function withFirstRowShown(screen: Screen, { linesFor, maxRows }: Viewport): Screen {
	const { cursor } = screen;
	if (!cursor || isMap(screen)) return screen;
	const isShown = linesFor(screen)
		.slice(0, maxRows)
		.some(({ id }) => id === cursor.id);
	return { ...screen, cursor: isShown ? { ...cursor, isAtTop: true } : undefined };
}

// In a list of lines

type Opening =
	| { type: 'computer'; id: GlobalId; name: string }
	| { type: 'filter'; text: string }
	/** The lines that this line sums up. If they are visible already, Enter hides them. */
	| { type: 'parts' };

export type Choice = {
	id: string;
	line: number;
	opens?: Opening | undefined;
	isCancellable?: boolean | undefined;
	hasFailed?: boolean | undefined;
};

export type ChoiceList = {
	choices: readonly Choice[];
	windowLines: number;
	/** A spoken list has no cursor, so the chosen line is the line at the scroll position. */
	isSpoken?: boolean;
};

type ListLook = Pick<Screen, 'view' | 'open' | 'listCursors' | 'scroll'>;

const openList = (look: ListLook) => (isHelpOpen(look) ? 'help' : look.view);

const listCursor = (look: ListLook) => look.listCursors[openList(look)];

export const choiceIndex = (look: ListLook, choices: readonly Choice[]): number =>
	presentIndex(listCursor(look), choices);

export function chosenChoiceOf(look: ListLook, list: ChoiceList | undefined): Choice | undefined {
	if (list?.isSpoken) return list.choices.find(({ line }) => line === look.scroll);
	return list?.choices[choiceIndex(look, list.choices)];
}

export const chosenChoice = ({ screen, shown }: { screen: Screen; shown: Viewport }) =>
	chosenChoiceOf(screen, shown.choiceList());

/** The line under the cursor stays where it is. Only beyond the first and the last choice does the text scroll alone. */
export function firstVisibleLine(look: ListLook, list: ChoiceList | undefined): number {
	const cursor = listCursor(look);
	if (!list || list.isSpoken || !cursor) return look.scroll;
	const { choices, windowLines } = list;
	const index = choiceIndex(look, choices);
	const highest = index === choices.length - 1 ? -Infinity : 0;
	const lowest = index === 0 ? Infinity : windowLines - 1;
	const { line = 0 } = choices[index] ?? {};
	return Math.max(0, line - Math.max(highest, Math.min(cursor.line, lowest)));
}

export const withCursorKept = (screen: Screen, list: ChoiceList): Screen =>
	withChoiceMoved(screen, 0, list, Infinity);

/** Shows the cursor and the heading above it. Beyond the first and the last choice, the text scrolls. */
export function withChoiceMoved(
	screen: Screen,
	steps: number,
	list: ChoiceList,
	maxScroll: number,
): Screen {
	const { choices, windowLines } = list;
	const from = choiceIndex(screen, choices);
	const index = clamp(from + steps, choices.length);
	const choice = choices[index];
	if (!choice) return screen;
	const { id, line } = choice;
	const first = firstVisibleLine(screen, list);
	const shown = Math.max(line - windowLines + 1, Math.min(first, line - 1));
	const goesOn = index === from || Math.abs(steps) >= endScrollPosition;
	const wanted = goesOn ? first + steps : index === 0 && line < windowLines ? 0 : shown;
	// After a jump to the first line, the cursor stays on top when newer lines appear.
	const isJump = index === 0 && -steps > choices.length;
	const cursor = isJump ? undefined : { id, index, line: line - clamp(wanted, maxScroll + 1) };
	return {
		...screen,
		scroll: 0,
		listCursors: { ...screen.listCursors, [openList(screen)]: cursor },
	};
}

/** By as many lines as are in sight, which may have headings or several choices among them. */
export function withChoicePaged(
	screen: Screen,
	lines: number,
	list: ChoiceList,
	maxScroll: number,
): Screen {
	const { choices, windowLines } = list;
	const from = choiceIndex(screen, choices);
	const most = windowLines - 1;
	const wanted = (choices[from]?.line ?? 0) + Math.max(-most, Math.min(lines, most));
	const found =
		lines > 0
			? choices.findLastIndex(({ line }) => line <= wanted)
			: choices.findIndex(({ line }) => line >= wanted);
	return withChoiceMoved(screen, found - from || Math.sign(lines), list, maxScroll);
}
