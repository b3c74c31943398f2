import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { isMap, type Screen } from './screen.ts';
import type { Viewport } from './viewport.ts';

/** If a filter that is being typed hides the computer under the cursor, the first match counts. */
export function cursorIndex({ cursor, open }: Screen, ids: readonly GlobalId[]): number {
	if (ids.length === 0) return -1;
	if (cursor === undefined) return 0;
	const index = ids[cursor.index] === cursor.id ? cursor.index : ids.indexOf(cursor.id);
	if (index >= 0) return index;
	return open?.kind === 'filter' ? 0 : Math.min(cursor.index, ids.length - 1);
}

export const rowUnderCursor = <R>({ screen, shown }: Shown<R>): R | undefined =>
	shown.rows[cursorIndex(screen, shown.ids)];

type Shown<R> = { screen: Screen; shown: Pick<Viewport, 'ids'> & { rows: readonly R[] } };

/** The cursor stays visible, and moves by as few lines as possible. */
export function firstVisibleRow(screen: Screen, { ids, maxRows }: Viewport): number {
	const index = cursorIndex(screen, ids);
	const lastLine = Math.max(0, maxRows - 1);
	if (screen.cursor?.isAtTop) return Math.max(0, index - lastLine);
	const line = Math.min(screen.cursor?.line ?? 0, lastLine);
	return Math.max(0, Math.min(index - line, ids.length - maxRows));
}

export function withCursorAt(
	screen: Screen,
	index: number,
	viewport: Viewport,
	column?: number,
): Screen {
	const id = viewport.ids[index];
	if (id === undefined) return screen;
	const at = index - firstVisibleRow(screen, viewport);
	const line = Math.max(0, Math.min(at, viewport.maxRows - 1));
	return { ...screen, scroll: 0, cursor: { id, index, line, column, isAtTop: index === 0 } };
}

/** A cursor that nobody has moved yet stays on the computer that was first when the rows appeared. */
export function withCursorFollowing(screen: Screen, viewport: Viewport): Screen {
	const index = cursorIndex(screen, viewport.ids);
	const id = viewport.ids[index];
	const { cursor } = screen;
	if (id === undefined || (cursor?.id === id && cursor.index === index)) return screen;
	if (!cursor) return { ...screen, cursor: { id, index, line: 0, isAtTop: true } };
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
export function withFirstRowShown(screen: Screen, { idsFor, maxRows }: Viewport): Screen {
	const { cursor } = screen;
	const ids = cursor && !isMap(screen) ? idsFor?.(screen) : undefined;
	if (!cursor || !ids) return screen;
	const isShown = ids.slice(0, maxRows).includes(cursor.id);
	return { ...screen, cursor: isShown ? { ...cursor, isAtTop: true } : undefined };
}
