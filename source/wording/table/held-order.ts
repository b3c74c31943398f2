import { isSameOrdering, type Ordering } from '../../fleet/computers/order-fields.ts';
import type { FleetRow } from '../../store/selectors.ts';

/** The rows change their order only when no key was pressed for this long. */
export const orderHeldMs = 1_000;

type Held = { sorted: readonly FleetRow[]; rows: readonly FleetRow[]; ordering: Ordering };

/**
 * Creates a function that returns the sorted rows, or, while their order is held, in the order in which they were shown
 * last. New rows then stand at the end. Another order that a person chooses is shown at once.
 */
export function createHeldOrder() {
	let last: Held | undefined;

	return (
		sorted: readonly FleetRow[],
		ordering: Ordering,
		isHeld: boolean,
	): readonly FleetRow[] => {
		if (!last || !isHeld || !isSameOrdering(last.ordering, ordering))
			last = { sorted, rows: sorted, ordering };
		else if (last.sorted !== sorted)
			last = { sorted, rows: inOrderOf(last.rows, sorted), ordering };
		return last.rows;
	};
}

/** Returns the rows in the order of the earlier ones. Rows that are usually in the same order are compared only once. */
function inOrderOf(earlier: readonly FleetRow[], rows: readonly FleetRow[]): readonly FleetRow[] {
	if (rows.length === earlier.length && rows.every((row, at) => row.id === earlier[at]?.id))
		return rows;
	const left = new Map(rows.map(row => [row.id, row]));
	const kept = earlier.flatMap(({ id }) => {
		const row = left.get(id);
		left.delete(id);
		return row ?? [];
	});
	return [...kept, ...left.values()];
}
