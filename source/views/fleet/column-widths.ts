import type { OrderField } from '../../fleet/computers/order-fields.ts';
import type { Screen } from '../look/screen.ts';
import { accountColumn, type Column, columns } from './columns.ts';

export type PlacedColumn = { column: Column; width: number; gap: number };

/** The cells at the left edge of each row, for the cursor and the mark, and the cell at the right edge. */
const rowEdges = 4;
const gapWidth = 2;

/** A column that is always shown stands first if it is not named, and that of the accounts before all others. */
export function columnsNamed(
	names: readonly string[] | undefined,
	hasSeveralAccounts = false,
): readonly Column[] {
	const first = hasSeveralAccounts ? [accountColumn] : [];
	if (!names) return [...first, ...columns.filter(({ visibility }) => visibility !== 'chosen')];
	const named = [...new Set(names)].flatMap(name => columns.find(each => each.name === name) ?? []);
	const missing = columns.filter(each => each.visibility === 'always' && !named.includes(each));
	return [...first, ...missing, ...named];
}

/** The column of the ordering is added, because an order by hidden values would look like no order. */
export function placedColumns(
	tableWidth: number,
	names: readonly string[] | undefined,
	hasSeveralAccounts = false,
	orderedBy?: OrderField,
): readonly PlacedColumn[] {
	const room = tableWidth - rowEdges;
	const ordering = columns.find(({ field }) => field !== undefined && field === orderedBy);
	const named = columnsNamed(names, hasSeveralAccounts);
	const candidates = ordering ? withColumn(named, ordering) : named;
	const placed = columnsThatFit(room, candidates, names !== undefined, ordering);
	const gaps = placed.length - 1;
	const spare = room - placed.reduce((sum, { gap, width }) => sum + gap + width, 0);
	if (gaps === 0 || spare <= 0) return placed;
	return placed.map((each, at) => {
		const more = Math.floor(spare / gaps) + (at <= spare % gaps ? 1 : 0);
		return at > 0 ? { ...each, gap: each.gap + more } : each;
	});
}

/** Where a person has put the columns into another order, the added one stands at their end. */
function withColumn(shown: readonly Column[], added: Column): readonly Column[] {
	if (shown.includes(added)) return shown;
	const usual = columns.indexOf(added);
	const after = shown.findIndex(column => columns.indexOf(column) > usual);
	return shown.toSpliced(after < 0 ? shown.length : after, 0, added);
}

/** All columns that a person chose appear before any of them grows. */
const growthAfter = 100;

/** The column by which the table is ordered appears after the name and the status. */
const orderingTurn = 1.5;

/** Takes the steps of all columns by their turns until one does not fit, so that a wider table never shows less of a column. */
export function columnsThatFit(
	width: number,
	candidates: readonly Column[],
	areChosen = false,
	ordering?: Column,
): readonly PlacedColumn[] {
	const steps = candidates.flatMap(column =>
		Object.entries(column.growth).map(([key, cells], at) => {
			const turn = Number(key);
			if (at > 0) return { column, cells, turn: areChosen ? turn + growthAfter : turn };
			return { column, cells, turn: column === ordering ? Math.min(turn, orderingTurn) : turn };
		}),
	);
	steps.sort((a, b) => a.turn - b.turn);
	const widths = new Map<Column, number>();
	let room = width + gapWidth;
	for (const { column, cells } of steps) {
		const before = widths.get(column) ?? -gapWidth;
		const needed = cells - before;
		// A column appears with its first width or not at all, but the first column is shown in any case.
		const mayBeCut = widths.has(column) || widths.size === 0;
		const granted = Math.min(needed, mayBeCut || needed <= room ? room : 0);
		if (granted > 0) widths.set(column, before + granted);
		room -= granted;
		if (granted < needed) break;
	}
	return candidates
		.filter(column => widths.has(column))
		.map((column, at) => ({
			column,
			width: widths.get(column) ?? 0,
			gap: at > 0 ? gapWidth : 0,
		}));
}

const minWidthForSideDetail = 150;
const minSideDetailWidth = 48;
const maxSideDetailWidth = 90;

type DetailPlacement = { place: 'hidden' | 'beside' | 'whole'; width: number };

type Look = Pick<Screen, 'isDetailOpen' | 'map' | 'columns'>;

/** On a wide screen the details are beside the table, in the room that it does not need. The map needs the whole width. */
export function detailPlacement(
	{ isDetailOpen, map, columns: names }: Look,
	width: number,
	accountCount: number,
): DetailPlacement {
	if (isDetailOpen) return { place: 'whole', width };
	if (width < minWidthForSideDetail || map.isOpen) return { place: 'hidden', width: 0 };
	const fullTableWidth = columnsNamed(names, accountCount > 1).reduce(
		(sum, { growth }) => sum + Math.max(...Object.values(growth)) + gapWidth,
		rowEdges - gapWidth,
	);
	const spare = Math.max(minSideDetailWidth, width - fullTableWidth - 1);
	return { place: 'beside', width: Math.min(maxSideDetailWidth, spare) };
}

export function tableWidth(look: Look, width: number, accountCount: number): number {
	const { place, width: taken } = detailPlacement(look, width, accountCount);
	return place === 'beside' ? width - taken - 1 : width;
}
