import type { GlobalId } from '../fleet/computers/global-id.ts';

/** A computer in the map, and the column of its cell or the column to which the cursor returns. */
export type PlaceInMap = { id: GlobalId; column?: number | undefined };

/** The cells of the drawn map. Each cell stands for one computer or for several. */
export type CellMap = {
	/** Returns the computer of the cell that is this number of cells to the right, across all groups. */
	across(from: GlobalId, steps: number): PlaceInMap;
	/** Returns the computer this number of rows of cells below, in the given column or in the column of the cell. */
	down(from: GlobalId, steps: number, column: number | undefined): PlaceInMap;
	/** Returns a computer in the first row of the next or previous group. */
	toGroup(from: GlobalId, direction: 1 | -1, column: number | undefined): PlaceInMap;
	atEnd(edge: 'first' | 'last'): PlaceInMap | undefined;
	/** Returns the computers of all cells from one computer to another, in the order of the map. */
	computersBetween(from: GlobalId, to: GlobalId): readonly GlobalId[];
	/** Returns all computers of the cell in which a computer is. */
	computersAt(id: GlobalId): readonly GlobalId[];
	/** Returns the current filter, narrowed to the group or the cell of a computer. */
	filterFor(id: GlobalId, currentFilter: string): string;
};
