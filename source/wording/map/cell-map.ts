import { filterFrom } from '../../fleet/computers/filter.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { CellMap, PlaceInMap } from '../../screen/cell-map.ts';
import type { Grouping } from '../../screen/map-look.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { groupingRows, type MapGroup, quotedFilterValue } from './map-groups.ts';
import { type CellPlace, cellCountOf, type MapLayout } from './map-layout.ts';
import type { GroupLevels } from './map-levels.ts';

type CellMapOptions = {
	layout: MapLayout;
	grouping: Grouping;
	accounts: readonly OpenedAccount[];
	/** The rows of all computers, also of those that the filter leaves out. */
	allRows: readonly FleetRow[];
	levelsOf: (group: MapGroup) => GroupLevels;
};

/** Returns the place of the cell that contains a computer; undefined if the map does not contain it. */
export function cellPlaceOf(layout: MapLayout, id: GlobalId | undefined): CellPlace | undefined {
	for (const [group, { rows }] of layout.groups.entries()) {
		const at = rows.findIndex(row => row.id === id);
		if (at >= 0) return { group, cell: Math.floor(at / layout.computersPerCell) };
	}
	return undefined;
}

/** Returns the rows of the computers in a cell. */
export function rowsInCell(layout: MapLayout, { group, cell }: CellPlace): readonly FleetRow[] {
	const { computersPerCell: number } = layout;
	return layout.groups[group]?.rows.slice(cell * number, (cell + 1) * number) ?? [];
}

/** Creates the moves of the cursor through the cells of a map. */
export function createCellMap(options: CellMapOptions): CellMap {
	const { layout, grouping, levelsOf } = options;
	const { groups, cellsPerRow, computersPerCell } = layout;
	const countIn = (at: number) => {
		const group = groups[at];
		return group ? cellCountOf(group, layout) : 0;
	};
	const columnOf = (cell: number) => cell % cellsPerRow;
	const rowOf = (cell: number) => Math.floor(cell / cellsPerRow);
	const start: CellPlace = { group: 0, cell: 0 };

	/** Chooses the most serious computer of the cell, because the colour of the cell shows its level. */
	function computerAt({ group, cell }: CellPlace): GlobalId | undefined {
		const rows = rowsInCell(layout, { group, cell });
		const shownGroup = groups[group];
		if (!shownGroup) return undefined;
		const levels = levelsOf(shownGroup);
		const levelAt = (at: number) => levels[cell * computersPerCell + at] ?? 0;
		let most = 0;
		for (const at of rows.keys()) if (levelAt(at) > levelAt(most)) most = at;
		return rows[most]?.id;
	}

	const landing = (place: CellPlace, from: GlobalId, column?: number): PlaceInMap => ({
		id: computerAt(place) ?? from,
		column,
	});

	/** Returns the cell in a column of a row of cells, or the last cell if the row is shorter. */
	function cellInRow(group: number, row: number, column: number): CellPlace {
		return { group, cell: Math.min(row * cellsPerRow + column, countIn(group) - 1) };
	}

	function rowBelow(place: CellPlace, direction: number, column: number): CellPlace {
		const row = rowOf(place.cell) + direction;
		const lastRow = rowOf(countIn(place.group) - 1);
		if (row >= 0 && row <= lastRow) return cellInRow(place.group, row, column);
		const group = place.group + direction;
		if (!groups[group]) return place;
		return cellInRow(group, direction > 0 ? 0 : rowOf(countIn(group) - 1), column);
	}

	return {
		across(id, steps) {
			let { group, cell } = cellPlaceOf(layout, id) ?? start;
			cell += steps;
			while (cell < 0 && group > 0) {
				group -= 1;
				cell += countIn(group);
			}
			while (cell >= countIn(group) && group < groups.length - 1) {
				cell -= countIn(group);
				group += 1;
			}
			return landing({ group, cell: Math.max(0, Math.min(cell, countIn(group) - 1)) }, id);
		},
		down(id, steps, column) {
			const from = cellPlaceOf(layout, id) ?? start;
			const wanted = column ?? columnOf(from.cell);
			let place = from;
			for (let left = Math.abs(steps); left > 0; left -= 1) {
				place = rowBelow(place, Math.sign(steps), wanted);
			}
			const isSame = place.group === from.group && place.cell === from.cell;
			return isSame ? { id, column: wanted } : landing(place, id, wanted);
		},
		toGroup(id, direction, column) {
			const from = cellPlaceOf(layout, id) ?? start;
			const wanted = column ?? columnOf(from.cell);
			const group = Math.max(0, Math.min(from.group + direction, groups.length - 1));
			return landing(cellInRow(group, 0, wanted), id, wanted);
		},
		atEnd(edge) {
			const last = groups.length - 1;
			const place = edge === 'first' ? start : { group: last, cell: countIn(last) - 1 };
			const id = computerAt(place);
			return id && { id };
		},
		computersBetween(from, to) {
			const cells = groups.flatMap((_, group) =>
				Array.from({ length: countIn(group) }, (__, cell): CellPlace => ({ group, cell })),
			);
			const numberOf = (id: GlobalId) => {
				const place = cellPlaceOf(layout, id);
				return cells.findIndex(({ group, cell }) => group === place?.group && cell === place.cell);
			};
			const ends = [numberOf(from), numberOf(to)];
			return cells
				.slice(Math.max(0, Math.min(...ends)), Math.max(...ends) + 1)
				.flatMap(place => rowsInCell(layout, place).map(row => row.id));
		},
		computersAt(id) {
			const place = cellPlaceOf(layout, id);
			return place ? rowsInCell(layout, place).map(row => row.id) : [];
		},
		filterFor(id, currentFilter) {
			const place = cellPlaceOf(layout, id);
			if (!place) return currentFilter;
			const value = groups[place.group]?.value;
			if (computersPerCell > 1 || value === undefined)
				return filterForComputers(rowsInCell(layout, place), options);
			return withTerm(currentFilter, groupingRows[grouping].filterTerm(value));
		},
	};
}

/**
 * Returns a filter that matches these computers and no others. Two accounts may have computers with the same id. A
 * person reads a name more easily than an id, so a single computer is named if no other one has the same name.
 */
function filterForComputers(
	rows: readonly FleetRow[],
	{ accounts, allRows }: Pick<CellMapOptions, 'accounts' | 'allRows'>,
): string {
	const [only, ...others] = rows;
	const name = others.length === 0 ? only?.computer.reading.name : undefined;
	// A value of a filter cannot contain a quote.
	if (name && !name.includes('"')) {
		const term = `name:=${quotedFilterValue(name)}`;
		const { test } = filterFrom(term);
		if (allRows.filter(({ computer }) => test(computer, 0)).length === 1) return term;
	}
	return rows
		.map(row => {
			const profile = accounts.length > 1 ? accountOfRow(accounts, row)?.profile.name : undefined;
			const account = profile === undefined ? '' : ` account:${quotedFilterValue(profile)}`;
			return `id:=${quotedFilterValue(row.computer.id)}${account}`;
		})
		.join(' OR ');
}

/** Narrows a filter to the computers that also match a term. OR joins whole lists of terms, so each list is narrowed. */
function withTerm(filter: string, term: string): string {
	const lists = filter.trim() === '' ? [''] : filter.trim().split(' OR ');
	return lists
		.map(list => (list.split(' ').includes(term) ? list : `${list} ${term}`.trim()))
		.join(' OR ');
}
