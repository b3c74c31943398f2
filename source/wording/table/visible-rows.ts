import type { Layout } from '../../drawing/layout.ts';
import type { Span } from '../../drawing/span.ts';
import type { Reading } from '../../fleet/computers/computer.ts';
import { createFilterCompleter } from '../../fleet/computers/filter-completion.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	isSameOrdering,
	type OrderField,
	type Ordering,
	troubleFirst,
} from '../../fleet/computers/order-fields.ts';
import { createSorter } from '../../fleet/computers/ordering.ts';
import { memoize } from '../../foundation/memoize.ts';
import { type Grouping, groupings, groupingsOfOneAccount } from '../../screen/map-look.ts';
import type { Screen, Viewport } from '../../screen/screen.ts';
import { createJointRowsSelector, type OpenedAccount } from '../../store/opened-accounts.ts';
import { failingReadOf } from '../../store/read-health.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import { isInTrouble, troubleOrderOf } from '../../store/trouble-rank.ts';
import { readingText, troubleLines, troubleOf } from '../phrases/trouble-text.ts';
import type { PlacedColumn } from './column.ts';
import { tableWidth } from './detail-placement.ts';
import { placedColumns } from './fleet-table-text.ts';
import { createHeldOrder } from './held-order.ts';
import { createKeptPlace } from './kept-place.ts';
import {
	type AccountNameOf,
	accountNamesOf,
	createKeptIdsSelector,
	createRowFilter,
} from './row-filter.ts';

export type VisibleRows = Viewport & {
	/** All rows of all accounts. `rows` holds only the rows that match the filter, in the order of the table. */
	allRows: readonly FleetRow[];
	rows: readonly FleetRow[];
	/** Whether any of the rows is in error, or the outcome of an operation on it is not known. */
	hasTrouble: boolean;
	/** The rows that the filter would hide, but that stay because a batch captured them. */
	keptIds: ReadonlySet<GlobalId>;
	/** Returns the completions of the word at the caret of a filter. */
	filterCompletions: ReturnType<typeof createFilterCompleter<FleetRow>>;
};

type VisibleRowsOptions = {
	accounts: readonly OpenedAccount[];
	screen: Screen;
	layout: Layout;
	/** Whether the rows stay in their order, because a person is about to act on one of them. */
	isOrderHeld?: boolean;
	now: number;
};

const minuteMs = 60_000;

/**
 * Returns a function that filters and orders the rows of the table. That function returns the same object while none of
 * its inputs changes. This function is over 60 lines because every step keeps its last result for the next step.
 */
export function createVisibleRows(): (options: VisibleRowsOptions) => VisibleRows {
	const rowsOf = createJointRowsSelector();

	// The time is rounded to the minute, so that an ordering by age is not computed every second. The rows are
	// ordered before they are filtered, so that a typed letter of the filter does not order them again.
	let nameOf: AccountNameOf = () => undefined;
	let keptRow: FleetRow | undefined;
	const asOrdered = (row: FleetRow) => (keptRow?.id === row.id ? keptRow : row);
	const order = createSorter<FleetRow>({
		fieldSourceOf: row => asOrdered(row).computer,
		accountOf: row => nameOf(row),
		troubleOrderOf: row => troubleOrderOf(asOrdered(row)),
	});
	const ordered = memoize(
		(allRows: readonly FleetRow[], ordering: Ordering, at: number, kept: FleetRow | undefined) => {
			keptRow = kept;
			return order(allRows, ordering, at);
		},
	);
	const keptPlace = createKeptPlace();
	const heldOrder = createHeldOrder();
	let ordering = troubleFirst;
	const keptIdsOf = createKeptIdsSelector();
	const rowsShown = createRowFilter();
	const idsOf = memoize((rows: readonly FleetRow[]) => rows.map(({ id }) => id));
	const fieldsOf = memoize(
		(cells: number, names: Screen['columns'], hasSeveral: boolean, by: OrderField) =>
			orderFieldsOf(placedColumns(cells, names, hasSeveral, by)),
	);

	const completerFor = memoize((items: readonly FleetRow[], now: number) =>
		createFilterCompleter<FleetRow>({
			items,
			now,
			sourceOf: ({ computer }) => computer,
			accountOf: row => nameOf(row),
		}),
	);

	const together = memoize(
		(
			allRows: readonly FleetRow[],
			{ rows, keptIds }: ReturnType<typeof rowsShown>,
			lines: number,
			fields: readonly OrderField[],
			filterCompletions: VisibleRows['filterCompletions'],
			groupings: readonly Grouping[],
		): VisibleRows => ({
			allRows,
			filterCompletions,
			rows,
			keptIds,
			ids: idsOf(rows),
			maxRows: lines,
			maxScroll: notScrollable,
			orderableFields: fields,
			groupings,
			hasTrouble: rows.some(isInTrouble),
			isInTrouble: index => {
				const row = rows[index];
				return row !== undefined && isInTrouble(row);
			},
		}),
	);

	return ({ accounts, screen, layout, isOrderHeld = false, now }) => {
		const allRows = rowsOf(accounts);
		nameOf = accountNamesOf(accounts);
		const { fleet: chosen } = screen.orderings;
		if (!isSameOrdering(ordering, chosen)) ordering = chosen;
		const at = Math.floor(now / minuteMs) * minuteMs;
		const kept = keptPlace({
			...{ rows: allRows, cursorId: screen.cursor?.id, ordering, isHeld: isOrderHeld },
		});
		const sorted = ordered(allRows, ordering, at, kept);
		const matching = rowsShown(heldOrder(sorted, ordering, isOrderHeld), {
			filter: screen.filters.fleet,
			keptIds: keptIdsOf(screen, accounts),
			at,
			nameOf,
		});
		const lines = layout.isTooSmall ? 0 : layout.tableRowCount;
		return together(
			allRows,
			matching,
			lines,
			fieldsOf(
				tableWidth(screen, layout.columns, accounts.length),
				screen.columns,
				accounts.length > 1,
				ordering.by,
			),
			completerFor(allRows, at),
			accounts.length > 1 ? groupings : groupingsOfOneAccount,
		);
	};
}

/** Returns the fields by which `<` and `>` order the table: trouble, and then the visible columns. */
function orderFieldsOf(placed: readonly PlacedColumn[]): readonly OrderField[] {
	return [troubleFirst.by, ...placed.flatMap(({ column }) => column.field ?? [])];
}

const notScrollable = () => 0;

type Usage = Pick<Reading, 'cpu' | 'memory' | 'storage'>;

function usageFrom({ cpu, memory, storage }: Reading): Usage {
	return {
		...(cpu !== undefined && { cpu }),
		...(memory !== undefined && { memory }),
		...(storage !== undefined && { storage }),
	};
}

/**
 * The CPU, memory and storage use that each row had when it was first visible in this minute, by the id of
 * the row.
 */
type SteadyUsage = { minute: number; usageById: ReadonlyMap<GlobalId, Usage> };

export const noSteadyUsage: SteadyUsage = { minute: 0, usageById: new Map() };

/**
 * Replaces the usage of each visible row by the usage that was first shown in this minute. On a slow line,
 * the usage would otherwise change the screen with every read. Returns the same `steady` object if no row
 * was added to that object.
 */
export function withSteadyUsage(
	steady: SteadyUsage,
	{ shown, first, now }: { shown: VisibleRows; first: number; now: number },
): { shown: VisibleRows; steady: SteadyUsage } {
	const currentMinute = Math.floor(now / minuteMs);
	const earlierUsageById =
		currentMinute === steady.minute ? steady.usageById : noSteadyUsage.usageById;
	const { rows, maxRows } = shown;
	const visible = rows.slice(first, first + maxRows);
	const addedRows = visible.filter(row => !hasSteadyUsage(row, earlierUsageById));
	const usageById = new Map(earlierUsageById);
	for (const { id, computer } of addedRows) usageById.set(id, usageFrom(computer.reading));
	const steadyRows = visible.map(row => rowWithUsage(row, usageById.get(row.id)));
	return {
		shown: {
			...shown,
			rows: [...rows.slice(0, first), ...steadyRows, ...rows.slice(first + maxRows)],
		},
		steady:
			addedRows.length === 0 && earlierUsageById === steady.usageById
				? steady
				: { minute: currentMinute, usageById },
	};
}

// If a computer begins or stops reporting its usage, its row changes at once.
function hasSteadyUsage({ id, computer }: FleetRow, usageById: SteadyUsage['usageById']): boolean {
	const usage = usageById.get(id);
	return usage !== undefined && typeof usage.cpu === typeof computer.reading.cpu;
}

function rowWithUsage(row: FleetRow, usage: Usage | undefined): FleetRow {
	const { computer } = row;
	return { ...row, computer: { ...computer, reading: { ...computer.reading, ...usage } } };
}

type EmptyTableHints = {
	/** Whether the sign-in waits for a password. */
	isPasswordWanted?: boolean;
	/** Advice other than to clear the filter, such as a completion that matches some computers. */
	suggestion?: string | undefined;
};

/** Explains why the table of computers is empty, and says what to do. */
export function emptyTableLines(
	account: JointAccount,
	computerCount: number,
	{ filters: { fleet: filter } }: Screen,
	now: number,
	{ isPasswordWanted = false, suggestion = 'Esc clears the filter.' }: EmptyTableHints = {},
): readonly (readonly Span[])[] {
	const { reads } = account;
	if (computerCount > 0) {
		return [[], [['No computer matches '], [filter, 'accent'], [`. ${suggestion}`, 'faint']]];
	}
	const failingRead = failingReadOf(account, now);
	if (failingRead) return [[], ...troubleLines(troubleOf(failingRead, now), '')];
	if (reads.list?.answer)
		return [[], [['No computers yet. '], ['n', 'accent'], [' creates one.', 'faint']]];
	if (isPasswordWanted) return [[], [['Sign in to read the list of computers.']]];
	return [[], [[`${readingText('list')} …`, 'faint']]];
}
