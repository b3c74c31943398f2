import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { isMap, isTable, type Screen, type Viewport } from './screen.ts';

/**
 * Returns the index of the row under the cursor, or -1 in an empty list. If a filter that is being typed
 * hides the computer under the cursor, the first match counts.
 */
export function cursorIndex({ cursor, isFiltering }: Screen, ids: readonly GlobalId[]): number {
	if (ids.length === 0) return -1;
	if (cursor === undefined) return 0;
	const index = ids[cursor.index] === cursor.id ? cursor.index : ids.indexOf(cursor.id);
	if (index >= 0) return index;
	return isFiltering ? 0 : Math.min(cursor.index, ids.length - 1);
}

/**
 * Returns the index of the first visible row. The cursor stays visible, and moves by as few lines as
 * possible.
 */
export function firstVisibleRow(screen: Screen, { ids, maxRows }: Viewport): number {
	const index = cursorIndex(screen, ids);
	if (screen.cursor?.isAtTop) return Math.max(0, index - Math.max(0, maxRows - 1));
	const line = Math.min(screen.cursor?.line ?? 0, Math.max(0, maxRows - 1));
	return Math.max(0, Math.min(index - line, ids.length - maxRows));
}

/**
 * Keeps the cursor on its computer, or moves it to the computer that took its place. A cursor that nobody has moved yet
 * stays on the computer that was first when the rows appeared.
 */
export function withCursorFollowing(screen: Screen, viewport: Viewport): Screen {
	if (!screen.cursor) return withCursorAttached(screen, viewport);
	const { ids } = viewport;
	const index = cursorIndex(screen, ids);
	const id = ids[index];
	const { cursor } = screen;
	if (id === undefined || (cursor.id === id && cursor.index === index)) return screen;
	const line = index - firstVisibleRow(screen, viewport);
	return { ...screen, cursor: { ...cursor, id, index, line } };
}

/** Puts the cursor on the first computer if it is on none yet, so that it stays there when the rows move. */
export function withCursorAttached(screen: Screen, { ids: [id] }: Viewport): Screen {
	if (screen.cursor || id === undefined || !isTable(screen)) return screen;
	return { ...screen, cursor: { id, index: 0, line: 0, isAtTop: true } };
}

/**
 * Shows the first row of a new order, because a person orders the table to see what comes first. If the computer
 * under the cursor is on the first page, the cursor stays on it. Otherwise the cursor goes to the first row, so that
 * no key acts on a computer out of sight.
 */
export function withFirstRowShown(screen: Screen, { idsFor, maxRows }: Viewport): Screen {
	const { cursor } = screen;
	const ids = cursor && !isMap(screen) ? idsFor?.(screen) : undefined;
	const [first] = ids ?? [];
	if (!cursor || !ids || first === undefined) return screen;
	const index = ids.slice(0, maxRows).indexOf(cursor.id);
	if (index < 0) return { ...screen, cursor: { id: first, index: 0, line: 0, isAtTop: true } };
	return { ...screen, cursor: { ...cursor, index, line: index } };
}

/** When another filter adds rows above the cursor, shows as many of these rows as fit. */
export function withAddedRowsShown(screen: Screen, { idsFor, maxRows }: Viewport): Screen {
	const { cursor } = screen;
	const ids = cursor && isTable(screen) ? idsFor?.(screen) : undefined;
	if (!cursor || !ids || ids[cursor.index] === cursor.id) return screen;
	const index = ids.indexOf(cursor.id);
	if (index < 0 || index >= maxRows) return screen;
	return { ...screen, cursor: { ...cursor, index, line: index } };
}

/** If the first row is in sight, it stays in sight while nobody uses the monitor. */
export function withTopKept(screen: Screen, viewport: Viewport): Screen {
	const { cursor } = screen;
	if (!cursor || cursor.isAtTop || firstVisibleRow(screen, viewport) > 0) return screen;
	return { ...screen, cursor: { ...cursor, isAtTop: true } };
}

/**
 * Puts the cursor on a computer. In the table it stays in the same line of the window if possible. `column` is the column of
 * the map to which it returns after a row that was too short.
 */
export function withCursorOn(
	screen: Screen,
	{ id, column }: { id: GlobalId; column?: number | undefined },
	viewport: Viewport,
): Screen {
	const index = viewport.ids.indexOf(id);
	if (index < 0) return screen;
	const at = index - firstVisibleRow(screen, viewport);
	const line = Math.max(0, Math.min(at, viewport.maxRows - 1));
	return { ...screen, scroll: 0, cursor: { id, index, line, column } };
}

/**
 * Returns the index of the next or the previous computer in trouble after the cursor; undefined if the table has
 * none. At the end of the table, the search goes on at the other end.
 */
export function indexOfTrouble(
	screen: Screen,
	direction: 1 | -1,
	{ ids, isInTrouble }: Viewport,
): number | undefined {
	const count = ids.length;
	const from = cursorIndex(screen, ids);
	for (let distance = 1; distance <= count; distance += 1) {
		const index = (from + direction * distance + count) % count;
		if (isInTrouble(index)) return index;
	}
	return undefined;
}
