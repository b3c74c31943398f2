import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { cursorIndex } from './cursor.ts';
import { cellUnderCursor } from './map-moves.ts';
import { isTable, type Screen } from './screen.ts';
import type { Viewport } from './viewport.ts';

// Marks choose the targets of the next operation. Every change here is about rows that pass the filter, so marks that
// the filter hides stay as they are.

type Ids = readonly GlobalId[];

const currentId = (screen: Screen, { ids }: Viewport) => ids[cursorIndex(screen, ids)];

/** What one key marks at a time: a row of the table, or the computers of a cell of the map. */
function unitsOf(screen: Screen, viewport: Viewport): readonly Ids[] {
	const cells = cellUnderCursor(screen, viewport)?.map.cells;
	return cells?.map(({ rows }) => rows.map(({ id }) => id)) ?? viewport.ids.map(id => [id]);
}

function unitUnderCursor(screen: Screen, viewport: Viewport): Ids {
	const id = currentId(screen, viewport);
	return (id !== undefined && unitsOf(screen, viewport).find(ids => ids.includes(id))) || [];
}

export function withMarksAdded(screen: Screen, ids: Ids, rangeStart?: GlobalId): Screen {
	return { ...screen, marks: new Set([...screen.marks, ...ids]), rangeStart };
}

function withToggled(screen: Screen, ids: Ids, rangeStart?: GlobalId): Screen {
	if (!ids.every(id => screen.marks.has(id))) return withMarksAdded(screen, ids, rangeStart);
	const unmarked = new Set(ids);
	const marks = new Set([...screen.marks].filter(id => !unmarked.has(id)));
	return { ...screen, marks, rangeStart: undefined };
}

export const withMarkToggled = (screen: Screen, viewport: Viewport): Screen =>
	withToggled(screen, unitUnderCursor(screen, viewport), currentId(screen, viewport));

export const withAllToggled = (screen: Screen, { ids }: Viewport): Screen =>
	withToggled(screen, ids);

export const withMarkHere = (screen: Screen, viewport: Viewport): Screen =>
	withMarksAdded(screen, unitUnderCursor(screen, viewport), currentId(screen, viewport));

/** Without a start in view, the range begins here. */
export function withRangeMarked(screen: Screen, viewport: Viewport): Screen {
	const { rangeStart, marks } = screen;
	const units = unitsOf(screen, viewport);
	const at = (id: GlobalId | undefined) =>
		id === undefined ? -1 : units.findIndex(ids => ids.includes(id));
	const to = at(currentId(screen, viewport));
	const from = rangeStart !== undefined && marks.has(rangeStart) ? at(rangeStart) : -1;
	if (from < 0) return withMarkHere(screen, viewport);
	const range = units.slice(Math.min(from, to), Math.max(from, to) + 1).flat();
	return withMarksAdded(screen, range, currentId(screen, viewport));
}

export function withMarksInverted(screen: Screen, { ids }: Viewport): Screen {
	const shown = new Set(ids);
	const hidden = [...screen.marks].filter(id => !shown.has(id));
	const marks = new Set([...hidden, ...ids.filter(id => !screen.marks.has(id))]);
	return { ...screen, marks, rangeStart: undefined };
}

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
