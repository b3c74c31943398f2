import { isSameOrdering, type Ordering } from '../../fleet/computers/order-fields.ts';
import type { FleetRow } from '../../store/selectors.ts';

/** The rows change their order only when no key was pressed for this long. */
export const orderHeldMs = 1_000;

type Held = {
	sorted: readonly FleetRow[];
	rows: readonly FleetRow[];
	ordering: Ordering;
	/** Whether a row is not in its sorted place. */
	isUnsorted: boolean;
};

/**
 * Creates a function that returns the sorted rows, or, while their order is held, in the order in which they were shown
 * last, and whether that order differs from the sorted one. New rows then stand at the end. Another order that a person
 * chooses is shown at once.
 */
export function createHeldOrder() {
	let last: Held | undefined;

	return (
		sorted: readonly FleetRow[],
		ordering: Ordering,
		isHeld: boolean,
	): Pick<Held, 'rows' | 'isUnsorted'> => {
		if (!last || !isHeld || !isSameOrdering(last.ordering, ordering))
			last = { sorted, rows: sorted, ordering, isUnsorted: false };
		else if (last.sorted !== sorted) {
			const rows = inOrderOf(last.rows, sorted);
			const isUnsorted = rows.some(({ id }, at) => id !== sorted[at]?.id);
			last = { sorted, rows, ordering, isUnsorted };
		}
		return last;
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
