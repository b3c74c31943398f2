/** The ways to divide the map of the fleet into groups, in the order in which a key goes through them. */
export const groupings = ['location', 'status', 'version', 'account'] as const;

export type Grouping = (typeof groupings)[number];

/** The groupings that can divide the computers of one account. */
export const groupingsOfOneAccount: readonly Grouping[] = ['location', 'status', 'version'];

/** The values that decide the colour of a cell of the map, in the order in which a key goes through them. */
export const colourings = ['status', 'cpu', 'version'] as const;

export type Colouring = (typeof colourings)[number];

/** How a person looks at the map of the fleet, and whether the map is open in place of the table. */
export type MapLook = { isOpen: boolean; grouping: Grouping; colouring: Colouring };

export const initialMapLook: MapLook = {
	isOpen: false,
	grouping: 'location',
	colouring: 'status',
};

/** Returns the value after the current one; after the last value, the first one follows. */
export function nextValueAfter<T>(values: readonly T[], current: T): T {
	return values[(values.indexOf(current) + 1) % values.length] ?? current;
}
