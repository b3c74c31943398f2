import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { cursorIndex } from './cursor.ts';
import { isTable, type Screen, type Viewport } from './screen.ts';

// Marks choose the targets of the next operation. Every change here is about rows that pass the filter, so marks that
// the filter hides stay as they are.

type Rows = Pick<Viewport, 'ids'>;

const currentId = (screen: Screen, { ids }: Rows) => ids[cursorIndex(screen, ids)];

/** Marks or unmarks the computer under the cursor. A range begins at the computer that was marked last. */
export function withMarkToggled(screen: Screen, rows: Rows): Screen {
	const id = currentId(screen, rows);
	if (id === undefined) return screen;
	const marks = new Set(screen.marks);
	const isMarked = !marks.delete(id);
	if (isMarked) marks.add(id);
	return { ...screen, marks, rangeStart: isMarked ? id : undefined };
}

export function withRowMarked(screen: Screen, rows: Rows): Screen {
	const id = currentId(screen, rows);
	return id === undefined ? screen : withMarksAdded(screen, [id], id);
}

/** Marks the rows from the start of the range to the cursor. Without a start in view, the range begins here. */
export function withRangeMarked(screen: Screen, rows: Rows): Screen {
	const { ids } = rows;
	const to = cursorIndex(screen, ids);
	const start = screen.rangeStart;
	const from = start !== undefined && screen.marks.has(start) ? ids.indexOf(start) : -1;
	if (from < 0) return withRowMarked(screen, rows);
	return withMarksAdded(screen, ids.slice(Math.min(from, to), Math.max(from, to) + 1), ids[to]);
}

export function withAllToggled(screen: Screen, { ids }: Rows): Screen {
	const areAllMarked = ids.length > 0 && ids.every(id => screen.marks.has(id));
	if (!areAllMarked) return withMarksAdded(screen, ids, undefined);
	const shown = new Set(ids);
	return { ...screen, marks: new Set([...screen.marks].filter(id => !shown.has(id))) };
}

export function withMarksInverted(screen: Screen, { ids }: Rows): Screen {
	const shown = new Set(ids);
	const hidden = [...screen.marks].filter(id => !shown.has(id));
	const marks = new Set([...hidden, ...ids.filter(id => !screen.marks.has(id))]);
	return { ...screen, marks, rangeStart: undefined };
}

/** Marks computers. A range begins at the last one. */
export function withMarksAdded(
	screen: Screen,
	ids: readonly GlobalId[],
	rangeStart: GlobalId | undefined,
): Screen {
	return { ...screen, marks: new Set([...screen.marks, ...ids]), rangeStart };
}

export function hiddenMarkCount(
	screen: Pick<Screen, 'view' | 'filters' | 'marks'>,
	{ ids, keptIds }: { ids: readonly GlobalId[]; keptIds: ReadonlySet<GlobalId> },
): number {
	if (!isTable(screen) || screen.filters.fleet === '' || screen.marks.size === 0) return 0;
	const shown = new Set(ids);
	return [...screen.marks].filter(id => !shown.has(id) || keptIds.has(id)).length;
}

/**
 * Returns the ids of the computers that the next operation applies to: the marked ones that exist, or the one
 * under the cursor.
 */
export function chosenIds(
	screen: Screen,
	ids: readonly GlobalId[],
	isPresent: (id: GlobalId) => boolean,
): readonly GlobalId[] {
	const marked = [...screen.marks].filter(isPresent);
	const under = ids[cursorIndex(screen, ids)];
	return marked.length > 0 || under === undefined ? marked : [under];
}
