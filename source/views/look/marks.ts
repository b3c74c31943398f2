import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { cursorIndex } from './cursor.ts';
import { across, cellUnderCursor, type Move, step } from './moves.ts';
import { isTable, type Screen } from './screen.ts';
import type { Viewport } from './viewport.ts';

// Marks choose the targets of the next operation. Every change here is about rows that pass the filter, so marks that
// the filter hides stay as they are.

type Ids = readonly GlobalId[];

/** What one key marks at a time is a row of the table, or the computers of a cell of the map. */
function unitsAround(screen: Screen, viewport: Viewport) {
	const cells = cellUnderCursor(screen, viewport)?.map.cells;
	const units: readonly Ids[] =
		cells?.map(({ rows }) => rows.map(({ id }) => id)) ?? viewport.ids.map(id => [id]);
	const indexOf = (id: GlobalId | undefined) =>
		id === undefined ? -1 : units.findIndex(ids => ids.includes(id));
	const id = viewport.ids[cursorIndex(screen, viewport.ids)];
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

export const toggleAllMarks: Move = (screen, { ids }) => withToggled(screen, ids);

/** Without a start in view, the range begins here. */
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
	{ ids, keptIds }: { ids: Ids; keptIds: ReadonlySet<GlobalId> },
): number {
	if (!isTable(screen) || screen.filters.fleet === '' || screen.marks.size === 0) return 0;
	const shown = new Set(ids);
	return [...screen.marks].filter(id => !shown.has(id) || keptIds.has(id)).length;
}

export function chosenIds(screen: Screen, ids: Ids, isPresent: (id: GlobalId) => boolean): Ids {
	const marked = [...screen.marks].filter(isPresent);
	const under = ids[cursorIndex(screen, ids)];
	return marked.length > 0 || under === undefined ? marked : [under];
}
