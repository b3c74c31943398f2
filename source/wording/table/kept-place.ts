import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	isSameOrdering,
	keepsPlaceUnderCursor,
	type Ordering,
} from '../../fleet/computers/order-fields.ts';
import type { FleetRow } from '../../store/selectors.ts';

type KeptPlaceOptions = {
	rows: readonly FleetRow[];
	cursorId: GlobalId | undefined;
	ordering: Ordering;
	/** Whether all rows stay in their order, because a person is about to act on one of them. */
	isHeld: boolean;
};

/**
 * Creates a function that returns an earlier row of the computer under the cursor, by which to order that computer. So
 * it keeps its place while the cursor is on it: otherwise a restart would take it out of the sight of the person who
 * watches it, or scroll all other rows away.
 */
export function createKeptPlace() {
	let ordering: Ordering | undefined;
	/** The rows by which the table was ordered last, except for the row that is returned. */
	let orderedRows: readonly FleetRow[] = [];
	let returned: FleetRow | undefined;
	let kept: FleetRow | undefined;

	return (options: KeptPlaceOptions): FleetRow | undefined => {
		const { rows, isHeld } = options;
		const cursorId = keepsPlaceUnderCursor(options.ordering.by) ? options.cursorId : undefined;
		if (!isSameOrdering(ordering, options.ordering)) {
			ordering = options.ordering;
			orderedRows = rows;
			returned = undefined;
			kept = undefined;
		}
		const isThere = ({ id }: FleetRow) => id === cursorId;
		if (cursorId === undefined) kept = undefined;
		else if (kept?.id !== cursorId)
			kept =
				returned?.id === cursorId ? returned : (orderedRows.find(isThere) ?? rows.find(isThere));
		// Another row moves the computer that the cursor left to its place, so it waits like all other rows.
		if (isHeld) return returned;
		orderedRows = rows;
		returned = kept;
		return returned;
	};
}
