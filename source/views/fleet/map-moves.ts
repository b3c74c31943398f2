import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { withCursorOn } from '../../screen/cursor.ts';
import { withMarksAdded } from '../../screen/marks.ts';
import type { Move } from '../../screen/move.ts';
import { currentFilter, cursorIndex, type Screen } from '../../screen/screen.ts';
import { accountOfRow } from '../../store/opened-accounts.ts';
import { cellWith, type FleetMap, type MapCell, type MapScene, mapOf, worstIn } from './map.ts';
import { mapFields, quotedValue } from './map-fields.ts';

const halfPageRows = 5;

/** Undefined for a move that means the same in the table. */
export function withMoveInMap(screen: Screen, move: Move, scene: MapScene): Screen | undefined {
	const { shown } = scene;
	const map = mapOf({ ...scene, screen });
	const { cells } = map;
	const id = shown.ids[cursorIndex(screen, shown.ids)];
	const from = cellWith(map, id);
	if (id === undefined || !from) return undefined;
	const at = cells.indexOf(from);
	const column = screen.cursor?.column ?? from.x;
	const right = (steps: number) => cells[Math.max(0, Math.min(at + steps, cells.length - 1))];
	const goTo = (cell: MapCell | undefined, wanted?: number, before = screen) => {
		const there = cell && cell !== from ? worstIn(cell, map)?.id : id;
		return there === undefined
			? before
			: withCursorOn(before, { id: there, column: wanted }, shown);
	};
	switch (move.type) {
		case 'across':
			return goTo(right(move.steps));
		case 'step':
			return goTo(cellInRow(map, from.row + move.steps, column), column);
		case 'page': {
			const firstRows = [...map.groups.keys()].map(
				group => cells.find(cell => cell.group === group)?.row ?? 0,
			);
			const nth = [...map.groups.keys()].indexOf(from.group) + move.direction;
			const row = move.isHalf
				? from.row + move.direction * halfPageRows
				: firstRows[Math.max(0, Math.min(nth, firstRows.length - 1))];
			return goTo(cellInRow(map, row ?? 0, column), column);
		}
		case 'end':
			return goTo(move.edge === 'first' ? cells[0] : cells.at(-1));
		case 'mark':
			return goTo(right(1), undefined, withCellToggled(screen, idsIn(from), id));
		case 'markOnward': {
			const cell = cellInRow(map, from.row + move.steps, column) ?? from;
			const moved = goTo(cell, column);
			return withMarksAdded(moved, [...idsIn(from), ...idsIn(cell)], moved.cursor?.id);
		}
		case 'markRange': {
			const { rangeStart = id } = screen;
			const start = screen.marks.has(rangeStart) ? cellWith(map, rangeStart) : undefined;
			const ends = [cells.indexOf(start ?? from), at];
			const range = cells.slice(Math.min(...ends), Math.max(...ends) + 1);
			return withMarksAdded(screen, range.flatMap(idsIn), id);
		}
		case 'filterToCell': {
			const fleet = filterFor(map, from, currentFilter(screen), scene);
			return { ...screen, filters: { ...screen.filters, fleet } };
		}
		default:
			return undefined;
	}
}

const idsIn = ({ rows }: MapCell): readonly GlobalId[] => rows.map(({ id }) => id);

/** A shorter row has only its last cell. */
function cellInRow({ cells }: FleetMap, row: number, column: number): MapCell | undefined {
	const wanted = Math.max(0, Math.min(row, cells.at(-1)?.row ?? 0));
	return cells.findLast(cell => cell.row === wanted && cell.x <= column);
}

function withCellToggled(screen: Screen, ids: readonly GlobalId[], id: GlobalId): Screen {
	if (!ids.every(each => screen.marks.has(each))) return withMarksAdded(screen, ids, id);
	const marks = new Set([...screen.marks].filter(each => !ids.includes(each)));
	return { ...screen, marks, rangeStart: undefined };
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
