/** The fields that can group and colour the map of the fleet, in the order in which the key of the groups goes through them. */
export const groupings = ['location', 'status', 'version', 'account'] as const;

export type MapField = (typeof groupings)[number];

/** The same fields in the order in which the key of the colours goes through them. */
export const colourings: readonly MapField[] = ['status', 'version', 'location', 'account'];

/** The fields that can divide the computers of one account. */
export const groupingsOfOneAccount: readonly MapField[] = ['location', 'status', 'version'];

/** How a person looks at the map of the fleet, and whether the map is open in place of the table. */
export type MapLook = { isOpen: boolean; grouping: MapField; colouring: MapField };

export const initialMapLook: MapLook = {
	isOpen: false,
	grouping: 'location',
	colouring: 'status',
};

/** Returns the value after the current one; after the last value, the first one follows. */
export function nextValueAfter<T>(values: readonly T[], current: T): T {
	return values[(values.indexOf(current) + 1) % values.length] ?? current;
}

/** The moves that only the map of the fleet knows. */
export type MapMove =
	/** Shows the map in place of the table, or the table again. */
	| { type: 'toggleMap' }
	| { type: 'nextGrouping' }
	| { type: 'nextColouring' }
	/**
	 * Moves the cursor by this many cells to the left (negative) or right. With `signsIn`, the move opens the sign-in
	 * instead while an account is signed out, as the same key does in the table.
	 */
	| { type: 'across'; steps: number; signsIn?: boolean }
	/** Filters to the group of the cell under the cursor, or to the cell if it stands for several computers. */
	| { type: 'filterToCell' };
