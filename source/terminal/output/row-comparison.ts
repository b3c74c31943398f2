import { blankCell, type CellLine, glyphAt, styleAt, unitAt } from './cells.ts';
import { createBlankLine, endOfBlank, isSameCell, startOfBlankTail } from './grid.ts';
import { isSameStyle, isSameStyleOnSpaces, type Style } from './style.ts';
import { plainCharacterWidth } from './text-width.ts';

/** The rest of a row is erased at once only from a run of blank cells on, and only if this part changes. */
const minErasedAhead = 4;
const minChangedAhead = 0.7;

/**
 * Creates a comparison of a row that the terminal shows with the row that it shall show. One object serves all rows,
 * one after the other.
 */
export function createRowComparison() {
	let nextLine = createBlankLine(0);
	let blankLine = nextLine;
	let columns = 0;
	/** The column from which the next line is blank to its end. */
	let tail = 0;
	/** Cells before this column are written again: a glyph of ambiguous width may have covered them. */
	let covered = 0;
	/** How many cells change from each column to the end of the row. */
	let changesFrom = new Int16Array(0);

	function isChanged(x: number): boolean {
		return x < covered || (x < columns && changesFrom[x] !== changesFrom[x + 1]);
	}

	/** Compares the next line with what the terminal shows, from a column to the end of the row. */
	function compareWith(currentLine: CellLine, start: number) {
		covered = 0;
		changesFrom[columns] = 0;
		let count = 0;
		for (let x = columns - 1; x >= start; x--) {
			if (!isSameCell(nextLine, x, currentLine, x)) count += 1;
			changesFrom[x] = count;
		}
	}

	return {
		begin(currentLine: CellLine, next: CellLine) {
			nextLine = next;
			columns = next.cells.length;
			if (changesFrom.length <= columns) changesFrom = new Int16Array(columns + 1);
			tail = startOfBlankTail(next);
			compareWith(currentLine, 0);
		},
		/** Compares the rest of the next line with erased cells. */
		compareWithBlank(start: number) {
			if (blankLine.cells.length !== columns) blankLine = createBlankLine(columns);
			compareWith(blankLine, start);
		},
		glyphAt: (x: number) => glyphAt(nextLine, x),
		unitAt: (x: number) => unitAt(nextLine, x),
		styleAt: (x: number) => styleAt(nextLine, x),
		isChanged,
		columns: () => columns,
		tail: () => tail,
		/** Whether a glyph of ambiguous width may have covered the cell in column `x`. */
		isCovered: (x: number) => x < covered,
		coverUpTo(x: number) {
			covered = Math.min(columns, Math.max(covered, x));
		},
		uncover() {
			covered = 0;
		},
		/** Whether the cell in column `x` would look right in this style. */
		isFit(x: number, style: Style): boolean {
			const isSame = unitAt(nextLine, x) === blankCell ? isSameStyleOnSpaces : isSameStyle;
			return isSame(style, styleAt(nextLine, x));
		},
		lastChangedBefore(end: number): number {
			let last = end - 1;
			while (!isChanged(last)) last -= 1;
			return last;
		},
		/** Returns how many equal cells begin in column `x`, up to the last changed one. */
		equalCellsFrom(x: number): number {
			let last = x;
			for (let at = x + 1; at < columns && isSameCell(nextLine, x, nextLine, at); at++) {
				if (isChanged(at)) last = at;
			}
			return last - x + 1;
		},
		/** Whether a run of cells is to be erased, and most cells after the run change as well. */
		isMostlyChanged(x: number): boolean {
			if (endOfBlank(nextLine, x) - x < minErasedAhead) return false;
			return (changesFrom[x] ?? 0) > (columns - x) * minChangedAhead;
		},
		/** Whether a changed cell can be written right after another one in the same style, without any other step. */
		canFollow(x: number, style: Style): boolean {
			if (x >= tail || !isChanged(x) || styleAt(nextLine, x) !== style) return false;
			const unit = unitAt(nextLine, x);
			// A run of equal glyphs or of blanks may take fewer bytes.
			return (
				unit !== blankCell && plainCharacterWidth(unit) === 1 && unit !== unitAt(nextLine, x + 1)
			);
		},
	};
}
