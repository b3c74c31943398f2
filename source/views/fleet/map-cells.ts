import { accountOfRow } from '../../store/opened-accounts.ts';
import type { MapCells } from '../look/screen.ts';
import { type FleetMap, type MapCell, type MapScene, mapOf, worstIn } from './map.ts';
import { mapFields, quotedValue } from './map-fields.ts';

/** Returns the map as far as moves depend on it. */
export function mapCells(scene: MapScene): MapCells {
	const map = mapOf(scene);
	return {
		cells: map.cells,
		worstIn: (cell: MapCell) => worstIn(cell, map)?.id,
		filterTo: (cell: MapCell, filter) => filterFor(map, cell, filter, scene),
	};
}

/** A cell that stands for several computers or has no common value is named by its computers. */
function filterFor(
	{ computersPerCell }: FleetMap,
	{ group: { value }, rows }: MapCell,
	filter: string,
	{ accounts, screen }: MapScene,
): string {
	if (computersPerCell === 1 && value !== undefined)
		return withTerm(filter, mapFields[screen.map.grouping].filterTerm(value));
	return rows
		.map(row => {
			const profile = accounts.length > 1 ? accountOfRow(accounts, row)?.profile : undefined;
			const account = profile ? ` account:${quotedValue(profile.name)}` : '';
			return `id:=${quotedValue(row.computer.id)}${account}`;
		})
		.join(' OR ');
}

/** OR joins whole lists of terms, so each list is narrowed. */
function withTerm(filter: string, term: string): string {
	const lists = filter.trim() === '' ? [''] : filter.trim().split(' OR ');
	return lists
		.map(list => (list.split(' ').includes(term) ? list : `${list} ${term}`.trim()))
		.join(' OR ');
}
