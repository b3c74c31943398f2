import { cursorIndex, firstVisibleRow, isTable, type Screen, type Viewport } from './screen.ts';

/** Keeps the cursor on its computer, or moves it to the computer that took its place. */
export function withCursorFollowing(screen: Screen, viewport: Viewport): Screen {
	const { ids } = viewport;
	const index = cursorIndex(screen, ids);
	const id = ids[index];
	const { cursor } = screen;
	if (!cursor || id === undefined || (cursor.id === id && cursor.index === index)) return screen;
	const line = index - firstVisibleRow(screen, viewport);
	return { ...screen, cursor: { ...cursor, id, index, line } };
}

/** Puts the cursor on the first computer if it is on none yet, so that it stays there when the rows move. */
export function withCursorAttached(screen: Screen, { ids: [id] }: Viewport): Screen {
	if (screen.cursor || id === undefined || !isTable(screen)) return screen;
	return { ...screen, cursor: { id, index: 0, line: 0, isAtTop: true } };
}

/** Keeps the first row in sight from now on, if it is in sight, because no person watches who would lose a line. */
export function withTopKept(screen: Screen, viewport: Viewport): Screen {
	const { cursor } = screen;
	if (!cursor || cursor.isAtTop || firstVisibleRow(screen, viewport) > 0) return screen;
	return { ...screen, cursor: { ...cursor, isAtTop: true } };
}
