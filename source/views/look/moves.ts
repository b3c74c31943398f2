import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	clamp,
	cursorIndex,
	idUnderCursor,
	type Viewport,
	type VisibleRows,
	withChoiceMoved,
	withChoicePaged,
	withCursorAt,
} from './cursor.ts';
import { isHeadingId, isHelpOpen, isMap, isTable, type LineId, type Screen } from './screen.ts';
import { endScrollPosition, viewRows } from './view-table.ts';

/** A change to how a person looks, which another key can undo. */
export type Move = (screen: Screen, viewport: Viewport) => Screen;

/** What a click on a text does. It never answers a question. */
export type Click =
	| { type: 'key'; key: string }
	| { type: 'move'; move: Move }
	| { type: 'found'; id: string }
	/** In the table or the map, where there may be no computer. */
	| { type: 'row'; id: LineId | undefined };

export const goTo =
	(id: GlobalId): Move =>
	(screen, viewport) => {
		const index = viewport.lines.findIndex(line => line.id === id);
		// In a folded group, the computer comes in sight as soon as the cursor is on it.
		if (index < 0 && viewport.ids.includes(id))
			return { ...screen, scroll: 0, cursor: { id, index: 0, line: 0 } };
		return withCursorAt(screen, index, viewport);
	};

export const step =
	(steps: number): Move =>
	(screen, viewport) =>
		withCellMoved(screen, 'row', steps, viewport) ?? withMovement(screen, steps, viewport);

export const page =
	(direction: 1 | -1): Move =>
	(screen, viewport) =>
		withCellMoved(screen, 'group', direction, viewport) ??
		withPage(screen, direction * Math.max(1, viewport.maxRows - 1), viewport);

const rowsOfHalfPageInMap = 5;

export const halfPage =
	(direction: 1 | -1): Move =>
	(screen, viewport) =>
		withCellMoved(screen, 'row', direction * rowsOfHalfPageInMap, viewport) ??
		withPage(screen, direction * Math.max(1, Math.floor(viewport.maxRows / 2)), viewport);

export const toEnd =
	(edge: 'first' | 'last'): Move =>
	(screen, viewport) => {
		const steps = edge === 'first' ? -endScrollPosition : endScrollPosition;
		// Details that fit have no other end, so the key moves the cursor of the table.
		const isForDetail = isReadingDetail(screen) && viewport.maxScroll() > 0;
		return (
			withCellMoved(screen, 'cell', steps, viewport) ??
			(isForDetail ? withScroll : withMovement)(screen, steps, viewport)
		);
	};

export const across =
	(steps: number): Move =>
	(screen, viewport) =>
		withCellMoved(screen, 'cell', steps, viewport) ?? screen;

export const scroll =
	(lines: number): Move =>
	(screen, viewport) =>
		withScroll(screen, lines, viewport);

// In the table, a list or a text

const isReadingDetail = (screen: Screen) =>
	screen.isDetailOpen && isTable(screen) && !isHelpOpen(screen);

const withPage = (screen: Screen, lines: number, viewport: Viewport): Screen =>
	isReadingDetail(screen)
		? withScroll(screen, lines, viewport)
		: withMovement(screen, lines, viewport, withChoicePaged);

function withMovement(
	screen: Screen,
	steps: number,
	viewport: Viewport,
	withListMoved = withChoiceMoved,
): Screen {
	const { lines, maxScroll } = viewport;
	if (isTable(screen) && !isHelpOpen(screen)) {
		const index = clamp(cursorIndex(screen, lines) + steps, lines.length);
		return withCursorAt(
			screen,
			screen.isDetailOpen ? besideHeadings(lines, index, steps) : index,
			viewport,
		);
	}
	const list = viewport.choiceList();
	if (!list || list.isSpoken || list.choices.length === 0)
		return withScroll(screen, steps, viewport);
	return withListMoved(screen, steps, list, maxScroll());
}

/** The details are of a computer, so that moving on while they are open leaves the headings out. */
function besideHeadings(lines: Viewport['lines'], index: number, steps: number): number {
	const isComputer = ({ id }: Viewport['lines'][number], at: number) =>
		!isHeadingId(id) && (steps > 0 ? at >= index : at <= index);
	return steps > 0 ? lines.findIndex(isComputer) : lines.findLastIndex(isComputer);
}

function withScroll(screen: Screen, steps: number, { maxScroll }: Viewport): Screen {
	const last = maxScroll();
	const scroll = clamp(Math.min(screen.scroll, last) + steps, last + 1);
	const followsEnd = viewRows[screen.view].followsEnd && !isHelpOpen(screen);
	return { ...screen, scroll: followsEnd && scroll === last ? endScrollPosition : scroll };
}

// In the map

function cellUnderCursor(screen: Screen, viewport: Viewport) {
	const isSeen = isMap(screen) && !isHelpOpen(screen);
	const groups = isSeen ? viewport.mapCells(screen) : [];
	const cells = groups.flat(2);
	const id = idUnderCursor(screen, viewport.lines);
	const cell = cells.find(({ rows }) => rows.some(row => row.id === id));
	return cell && { groups, cells, cell };
}

/** The cursor goes to the computer that decides how the cell looks; in the same cell it stays. Undefined without a map. */
function withCellMoved(
	screen: Screen,
	unit: 'cell' | 'row' | 'group',
	steps: number,
	viewport: Viewport,
): Screen | undefined {
	const from = cellUnderCursor(screen, viewport);
	if (!from) return undefined;
	const { groups, cells, cell } = from;
	const lines = groups.flat();
	const line = lines.findIndex(each => each.includes(cell));
	const column = screen.cursor?.column ?? lines[line]?.indexOf(cell) ?? 0;
	const group = groups.findIndex(each => each.flat().includes(cell)) + steps;
	const reachedLine =
		unit === 'row'
			? lines[clamp(line + steps, lines.length)]
			: groups[clamp(group, groups.length)]?.[0];
	const reached =
		unit === 'cell'
			? cells[clamp(cells.indexOf(cell) + steps, cells.length)]
			: reachedLine?.[clamp(column, reachedLine.length)];
	if (!reached || reached === cell) return screen;
	const index = viewport.lines.findIndex(({ id }) => id === reached.worst.id);
	return withCursorAt(screen, index, viewport, unit === 'cell' ? undefined : column);
}

// Marks
//
// They choose the targets of the next operation. Every change here is about rows that pass the filter, so marks that
// the filter hides stay as they are.

type Ids = readonly GlobalId[];

function unitsAround(screen: Screen, viewport: Viewport) {
	const cells = cellUnderCursor(screen, viewport)?.cells;
	const units: readonly Ids[] =
		cells?.map(({ rows }) => rows.map(({ id }) => id)) ??
		viewport.lines.flatMap(({ id }) => (isHeadingId(id) ? [] : [[id]]));
	const indexOf = (id: GlobalId | undefined) =>
		id === undefined ? -1 : units.findIndex(ids => ids.includes(id));
	const id = idUnderCursor(screen, viewport.lines);
	return { units, indexOf, id, here: units[indexOf(id)] ?? [] };
}

const withMarks = (screen: Screen, ids: Ids, rangeStart?: GlobalId): Screen => ({
	...screen,
	marks: new Set([...screen.marks, ...ids]),
	rangeStart,
});

function withToggled(screen: Screen, ids: Ids, rangeStart?: GlobalId): Screen {
	if (!ids.every(id => screen.marks.has(id))) return withMarks(screen, ids, rangeStart);
	const unmarked = new Set(ids);
	const marks = new Set([...screen.marks].filter(id => !unmarked.has(id)));
	return { ...screen, marks, rangeStart: undefined };
}

export const mark: Move = (screen, viewport) => {
	const { here, id } = unitsAround(screen, viewport);
	const toNext = cellUnderCursor(screen, viewport) ? across(1) : step(1);
	return toNext(withToggled(screen, here, id), viewport);
};

const markHere: Move = (screen, viewport) => {
	const { here, id } = unitsAround(screen, viewport);
	return withMarks(screen, here, id);
};

export const markOnward =
	(steps: 1 | -1): Move =>
	(screen, viewport) =>
		markHere(step(steps)(markHere(screen, viewport), viewport), viewport);

export const markIds =
	(ids: Ids): Move =>
	screen =>
		withMarks(screen, ids);

export const toggleMarks =
	(ids: Ids): Move =>
	screen =>
		withToggled(screen, ids);

export const toggleAllMarks: Move = (screen, { ids }) => withToggled(screen, ids);

export const markRange: Move = (screen, viewport) => {
	const { rangeStart, marks } = screen;
	const { units, indexOf, id } = unitsAround(screen, viewport);
	const to = indexOf(id);
	const from = rangeStart !== undefined && marks.has(rangeStart) ? indexOf(rangeStart) : -1;
	if (from < 0) return markHere(screen, viewport);
	return withMarks(screen, units.slice(Math.min(from, to), Math.max(from, to) + 1).flat(), id);
};

export const invertMarks: Move = (screen, { ids }) => {
	const shown = new Set(ids);
	const hidden = [...screen.marks].filter(id => !shown.has(id));
	const marks = new Set([...hidden, ...ids.filter(id => !screen.marks.has(id))]);
	return { ...screen, marks, rangeStart: undefined };
};

export function hiddenMarkCount(
	screen: Pick<Screen, 'view' | 'filters' | 'marks'>,
	{ lines, ids, keptIds }: Pick<VisibleRows, 'lines' | 'ids' | 'keptIds'>,
): number {
	if (!isTable(screen) || screen.marks.size === 0) return 0;
	const shown = new Set(lines.map(({ id }) => id));
	// Without a filter, a mark that no line has is in a folded group, or its computer is gone.
	const all = new Set(screen.filters.fleet === '' ? ids : screen.marks);
	return [...screen.marks].filter(id => all.has(id) && (!shown.has(id) || keptIds.has(id))).length;
}

export function chosenIds(
	screen: Screen,
	lines: Viewport['lines'],
	isPresent: (id: GlobalId) => boolean,
): Ids {
	const marked = [...screen.marks].filter(isPresent);
	const under = idUnderCursor(screen, lines);
	return marked.length > 0 || under === undefined ? marked : [under];
}
