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
	/** The row that was shown last where the cursor is now. */
	shownRow: FleetRow | undefined;
	ordering: Ordering;
	/** Whether the order of all rows is held, because a person is about to act on one of them. */
	isHeld: boolean;
};

type KeptPlace = {
	/**
	 * Returns an earlier row of the computer under the cursor, by which the table is ordered. Without it, a restart would
	 * move the computer out of sight, or scroll all other rows away.
	 */
	keptRow(options: KeptPlaceOptions): FleetRow | undefined;
	/**
	 * Chooses between two orders: with the computer under the cursor in the place of its earlier row, and in that of its
	 * present row. After an operation on many computers all of them have other places, and the earlier row would leave
	 * that computer behind, with the view.
	 */
	steadiest(
		byKept: readonly FleetRow[],
		byPresent: () => readonly FleetRow[],
		cursorId: GlobalId | undefined,
	): readonly FleetRow[];
	/** Remembers where the computer under the cursor is shown. */
	noteShown(rows: readonly FleetRow[], cursorId: GlobalId | undefined): void;
};

/** Keeps the computer under the cursor in its place. */
export function createKeptPlace(): KeptPlace {
	let ordering: Ordering | undefined;
	/** The rows by which the table was ordered last. The returned row replaced one of them. */
	let orderedRows: readonly FleetRow[] = [];
	let returned: FleetRow | undefined;
	let kept: FleetRow | undefined;
	/** The computer under the cursor, and the rows in which it was shown. Its index is found when it is needed. */
	let shown: { id: GlobalId; rows: readonly FleetRow[]; index?: number } | undefined;
	let lastIndex = -1;

	/** Finds a row, at once if it is where the last one was found. */
	function indexIn(rows: readonly FleetRow[], id: GlobalId): number {
		if (rows[lastIndex]?.id !== id) lastIndex = indexOfRow(rows, id);
		return lastIndex;
	}

	function keptRow(options: KeptPlaceOptions): FleetRow | undefined {
		const { rows, shownRow, isHeld } = options;
		const cursorId = keepsPlaceUnderCursor(options.ordering.by) ? options.cursorId : undefined;
		if (!isSameOrdering(ordering, options.ordering)) {
			ordering = options.ordering;
			orderedRows = rows;
			returned = undefined;
			kept = undefined;
		}
		if (cursorId === undefined) kept = undefined;
		else if (kept?.id !== cursorId)
			kept = returned?.id === cursorId ? returned : rowOf(cursorId, orderedRows, rows, shownRow);
		// When the cursor has left a computer, the computer moves to its new place. While the order is held, it
		// waits.
		if (isHeld) return returned;
		orderedRows = rows;
		returned = kept;
		return returned;
	}

	return {
		keptRow,
		steadiest(byKept, byPresent, cursorId) {
			if (cursorId === undefined || shown?.id !== cursorId || returned === undefined) return byKept;
			if (orderedRows.includes(returned)) return byKept;
			shown.index ??= indexIn(shown.rows, cursorId);
			const { index } = shown;
			const distance = Math.abs(indexIn(byKept, cursorId) - index);
			if (distance === 0) return byKept;
			const rows = byPresent();
			const place = indexIn(rows, cursorId);
			if (Math.abs(place - index) >= distance) return byKept;
			kept = rows[place];
			returned = kept;
			return rows;
		},
		noteShown(rows, cursorId) {
			if (cursorId === undefined) shown = undefined;
			else if (shown?.id !== cursorId || shown.rows !== rows) shown = { id: cursorId, rows };
		},
	};
}

/**
 * Returns the index of the row of a computer, or -1. It is a loop, because each move of the cursor looks for its row, and a
 * call for each of ten thousand rows takes long.
 */
export function indexOfRow(rows: readonly FleetRow[], id: GlobalId): number {
	for (let at = 0; at < rows.length; at++) if (rows[at]?.id === id) return at;
	return -1;
}

/**
 * Returns the row of a computer among earlier rows, or else among the present ones. A search for its id reads the rows,
 * which lie scattered in memory. So the row that was shown is looked for first, which reads only the list.
 */
function rowOf(
	id: GlobalId,
	earlier: readonly FleetRow[],
	rows: readonly FleetRow[],
	shown: FleetRow | undefined,
): FleetRow | undefined {
	if (shown?.id === id) {
		const row = earlier[rows.indexOf(shown)];
		if (row?.id === id) return row;
	}
	return earlier[indexOfRow(earlier, id)] ?? rows[indexOfRow(rows, id)];
}
