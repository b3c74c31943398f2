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
	/** Whether the order of all rows is held, because a person is about to act on one of them. */
	isHeld: boolean;
};

/**
 * Creates a function that keeps the computer under the cursor in its place. It returns an earlier row of that
 * computer, by which the table is ordered. Without it, a restart would move the computer out of sight, or scroll all
 * other rows away.
 */
export function createKeptPlace() {
	let ordering: Ordering | undefined;
	/** The rows by which the table was ordered last. The returned row replaced one of them. */
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
		// When the cursor has left a computer, the computer moves to its new place. While the order is held, it
		// waits.
		if (isHeld) return returned;
		orderedRows = rows;
		returned = kept;
		return returned;
	};
}
