import type { Screen } from '../screen/screen.ts';

/** What of the screen has room, from its size. */
export type Layout =
	| { isTooSmall: true; columns: number; rows: number }
	| {
			isTooSmall: false;
			columns: number;
			rows: number;
			/** The second line of the header: the counts, and how fresh they are. */
			hasCounts: boolean;
			/** The lines above and below the table. */
			hasRules: boolean;
			/** What just happened, in a line of its own. */
			hasNews: boolean;
			/** Rows of the table, without its line of titles. */
			lines: number;
	  };

export const smallest = { columns: 30, rows: 6 };

export function layoutFor(columns: number, rows: number): Layout {
	if (columns < smallest.columns || rows < smallest.rows) {
		return { isTooSmall: true, columns, rows };
	}
	const hasCounts = rows >= 8;
	const hasRules = rows >= 16;
	const hasNews = rows >= 20;
	// The title, the column titles and the keys are always there.
	const around = 3 + Number(hasCounts) + 2 * Number(hasRules) + Number(hasNews);
	return { isTooSmall: false, columns, rows, hasCounts, hasRules, hasNews, lines: rows - around };
}

const besideFrom = 150;

/** Beside the table where it is wide; in its place where it is not. */
export function detailPlace(width: number): { isBeside: boolean; width: number } {
	if (width < besideFrom) return { isBeside: false, width };
	return { isBeside: true, width: Math.min(90, width - 90) };
}

/** What the table has of the width. */
export function tableWidth({ isDetailOpen }: Pick<Screen, 'isDetailOpen'>, width: number): number {
	const { isBeside, width: taken } = detailPlace(width);
	return isDetailOpen && isBeside ? width - taken - 1 : width;
}
