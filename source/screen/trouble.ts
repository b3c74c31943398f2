import { cursorIndex, type Screen, type Viewport } from './screen.ts';

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
