import type { PlacedColumn } from './column.ts';

//    STATUS     STAGE               CPU  30 MIN     MEM  VERSION
//    ✖ Error    image pull failed: disk quota exceeded   1.4.2      the row has no CPU and no memory
//    ● Active   updated 2 m ago     12%  ▁▂▅▇▅ ▁▁   41%  1.4.2

/** The columns that a text takes: its own column, and columns to the right of it. */
type TakenColumns = { count: number; width: number };

/**
 * Returns how many columns a text of this width takes, beginning with the column `at`. The text flows into the next
 * columns only as far as it needs, and only if they are empty or give way.
 */
export function columnsTaken(
	placed: readonly PlacedColumn[],
	at: number,
	textWidth: number,
	isEmpty: (at: number) => boolean,
): TakenColumns {
	let count = 1;
	let width = placed[at]?.width ?? 0;
	while (textWidth > width) {
		const next = placed[at + count];
		if (!next || !(next.column.givesWay || isEmpty(at + count))) break;
		width += next.gap + next.width;
		count += 1;
	}
	return { count, width };
}

/** Returns the width of the longest text that the column with this index has room for. */
export const roomFor = (
	placed: readonly PlacedColumn[],
	at: number,
	isEmpty: (at: number) => boolean,
): number => columnsTaken(placed, at, Number.POSITIVE_INFINITY, isEmpty).width;
