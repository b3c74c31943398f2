import type { PlacedColumn } from './column.ts';

//    STATUS     STAGE               CPU  30 MIN     MEM  VERSION
//    ✖ Error    image pull failed: disk quota exceeded   1.4.2      the row has no CPU and no memory
//    ● Active   updated 2 m ago     12%  ▁▂▅▇▅ ▁▁   41%  1.4.2

/** The cells of a column and of those behind it that its text takes. */
type TakenColumns = { count: number; width: number };

/**
 * Returns how many columns a text of this width takes, from the one with this index: only as many as the text needs, and
 * only empty ones or those that give way.
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
