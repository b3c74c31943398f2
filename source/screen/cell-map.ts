import type { GlobalId } from '../fleet/computers/global-id.ts';

/** A computer in the map, and the column of its cell or the column to which the cursor returns. */
export type PlaceInMap = { id: GlobalId; column?: number | undefined };

/** The cells of the drawn map. Each cell stands for one computer or for several. */
export type CellMap = {
	/** Returns the computer of the cell so many cells to the right, through all groups. */
	across(from: GlobalId, steps: number): PlaceInMap;
	/** Returns the computer so many rows of cells below, in the given column or in that of the cell. */
	down(from: GlobalId, steps: number, column: number | undefined): PlaceInMap;
	/** Returns a computer in the first row of the next or previous group. */
	toGroup(from: GlobalId, direction: 1 | -1, column: number | undefined): PlaceInMap;
	atEnd(edge: 'first' | 'last'): PlaceInMap | undefined;
	/** Returns the computers of all cells from one computer to another, in the order of the map. */
	computersBetween(from: GlobalId, to: GlobalId): readonly GlobalId[];
	/** Returns all computers of the cell in which a computer is. */
	computersAt(id: GlobalId): readonly GlobalId[];
	/** Returns a filter that matches the group or the cell of a computer, and only what the current filter matches. */
	filterFor(id: GlobalId, currentFilter: string): string;
};
