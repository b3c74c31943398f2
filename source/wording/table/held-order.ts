import { isSameOrdering, type Ordering } from '../../fleet/computers/order-fields.ts';
import type { FleetRow } from '../../store/selectors.ts';

/** The rows change their order only when no key was pressed for this long. */
export const orderHeldMs = 1_000;

type Held = {
	sorted: readonly FleetRow[];
	rows: readonly FleetRow[];
	ordering: Ordering;
	/** For each row its place among the sorted rows; undefined if all rows are in their sorted places. */
	places: Uint32Array | undefined;
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
	): { rows: readonly FleetRow[]; isUnsorted: boolean } => {
		if (!last || !isHeld || !isSameOrdering(last.ordering, ordering))
			last = { sorted, rows: sorted, ordering, places: undefined };
		else if (last.sorted !== sorted) {
			const hasSameOrder = hasSameIds(last.sorted, sorted);
			const places = hasSameOrder ? last.places : placesIn(sorted, last.rows);
			last = { sorted, rows: places ? rowsAt(places, sorted) : sorted, ordering, places };
		}
		return { rows: last.rows, isUnsorted: last.places !== undefined };
	};
}

const hasSameIds = (rows: readonly FleetRow[], others: readonly FleetRow[]) =>
	rows.length === others.length &&
	rows.every((row, at) => row === others[at] || row.id === others[at]?.id);

/**
 * Returns the place of each row among the sorted rows, in the order of the earlier rows and with new rows at the end;
 * undefined if that is the sorted order. Rows that are usually in the same order are compared only once.
 */
function placesIn(
	sorted: readonly FleetRow[],
	earlier: readonly FleetRow[],
): Uint32Array | undefined {
	if (hasSameIds(sorted, earlier)) return undefined;
	const left = new Map(sorted.map(({ id }, place) => [id, place]));
	const places = new Uint32Array(sorted.length);
	let count = 0;
	for (const { id } of earlier) {
		const place = left.get(id);
		if (place === undefined) continue;
		left.delete(id);
		places[count] = place;
		count += 1;
	}
	places.set([...left.values()], count);
	return places.every((place, at) => place === at) ? undefined : places;
}

function rowsAt(places: Uint32Array, sorted: readonly FleetRow[]): readonly FleetRow[] {
	// The copy has its size at once. An array of ten thousand rows that grows would be copied twenty times.
	const rows = sorted.slice();
	for (let at = 0; at < rows.length; at++) rows[at] = sorted[places[at] as number] as FleetRow;
	return rows;
}
