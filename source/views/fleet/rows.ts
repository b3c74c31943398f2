import { isDeepStrictEqual } from 'node:util';
import type { AccountProfile } from '../../fleet/computers/account.ts';
import {
	computerFilter,
	type Ordering,
	sortComputers,
	troubleFirst,
} from '../../fleet/computers/fields.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { createFilterCompleter } from '../../fleet/filters/completion.ts';
import { filterFrom } from '../../fleet/filters/filter.ts';
import { type Operation, questionIdOf } from '../../fleet/operations/operation.ts';
import { minuteMs } from '../../foundation/duration.ts';
import { grouped } from '../../foundation/grouped.ts';
import { memoize } from '../../foundation/memoize.ts';
import {
	type AccountNameOf,
	accountNamesOf,
	accountOfRow,
	computersOf,
	createJointRowsSelector,
	type FleetRow,
	type OpenedAccount,
	troubleOrderOf,
	worstTroubleIn,
} from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { type Layout, tableWidth } from '../layout.ts';
import type { Heading, RowsShown, TableLine, VisibleRows } from '../look/cursor.ts';
import {
	type GroupField,
	type HeadingId,
	headingId,
	isGroupFolded,
	isMap,
	isTable,
	type LineId,
	type Screen,
} from '../look/screen.ts';
import { columnsWithRoom, fieldSourceOf } from './columns.ts';

type RowsOptions = {
	accounts: readonly OpenedAccount[];
	screen: Screen;
	layout: Layout;
	/** A person acts. The order is also held while any computer is marked. */
	isOrderHeld: boolean;
	now: number;
};

/** The rows change their order only when no key was pressed for this long. */
export const orderHeldMs = 1_000;

const noIds: ReadonlySet<GlobalId> = new Set();

const noGroups: Screen['foldedGroups'] = new Set();

export function createVisibleRows(): (options: RowsOptions) => RowsShown {
	const jointRowsOf = createJointRowsSelector();
	const namesOf = memoize((...profiles: readonly AccountProfile[]) => accountNamesOf(profiles));
	const orderOf = createRowOrder();
	const pinnedFirst = memoize(rowsWithPinsFirst);
	const filteredBy = memoize(filteredRows);
	const groupedBy = memoize(headingsOf);
	const inOrder = createGroupOrder();
	const membersOf = memoize(rowsOfGroups);
	const linesOf = memoize(linesWithHeadings);
	const completerOf = memoize((rows: readonly FleetRow[], nameOf: AccountNameOf, at: number) => {
		const computers = rows.map(row => fieldSourceOf(row, nameOf));
		return createFilterCompleter(computers, computerFilter, at);
	});

	return ({ accounts, screen, layout, isOrderHeld, now }) => {
		const { fleet: ordering } = screen.orderings;
		const allRows = jointRowsOf(accounts);
		const nameOf = namesOf(...accounts.map(({ profile }) => profile));
		// By the minute, so that an order or a filter by age is not computed every second.
		const at = Math.floor(now / minuteMs) * minuteMs;
		const isHeld = isOrderHeld || screen.marks.size > 0;
		const ordered = orderOf(allRows, ordering, at, nameOf, isHeld);
		const orderedRows = pinnedFirst(ordered, screen.pins);
		const captured = capturedIds(screen, accounts, now);
		const wantedIds = captured.length > 0 ? new Set(captured) : noIds;
		const filtered = filteredBy(orderedRows, screen.filters.fleet, wantedIds, at, nameOf);
		const width = tableWidth(screen, layout.columns);
		const columns = columnsWithRoom(width, { screen, accounts });
		const grouping = isMap(screen) ? undefined : screen.grouping;
		const groups = inOrder(
			groupedBy(filtered.rows, grouping, accounts),
			ordering.by === troubleFirst.by,
			screen.filters.fleet,
			isHeld,
		);
		const withGroups = membersOf(filtered.rows, groups);
		// What is being typed shows its matches.
		const folded = screen.open?.kind === 'filter' ? noGroups : screen.foldedGroups;
		return {
			rows: withGroups.rows,
			ids: withGroups.ids,
			headings: withGroups.headings,
			keptIds: filtered.keptIds,
			lines: linesOf(withGroups, folded, wantedIds, screen.pins, screen.cursor?.id),
			allRows,
			orderedRows,
			filterCompletions: line => completerOf(allRows, nameOf, at)(line),
			maxRows: layout.isTooSmall ? 0 : layout.tableRowCount,
			orderableFields: [troubleFirst.by, ...columns.flatMap(({ field }) => field ?? [])],
		};
	};
}

function createRowOrder() {
	let order: Ordering | undefined;
	let shown: readonly FleetRow[] = [];

	return memoize(
		(
			rows: readonly FleetRow[],
			ordering: Ordering,
			at: number,
			accountOf: AccountNameOf,
			isHeld: boolean,
		): readonly FleetRow[] => {
			const left = new Map(rows.map(row => [row.id, row]));
			const held = isHeld && isDeepStrictEqual(ordering, order) ? shown : [];
			const known = held.flatMap(({ id }) => {
				const row = left.get(id);
				left.delete(id);
				return row ?? [];
			});
			const others = sortComputers([...left.values()], ordering, at, {
				computerOf: row => row.computer,
				accountOf,
				troubleOrderOf,
			});
			order = ordering;
			const next = [...known, ...others];
			// Most keys only hold the order as it is, and then nothing that follows from it is computed again.
			const isSame = next.length === shown.length && next.every((row, at) => row === shown[at]);
			if (!isSame) shown = next;
			return shown;
		},
	);
}

function rowsWithPinsFirst(rows: readonly FleetRow[], pins: ReadonlySet<GlobalId>) {
	const pinned = rows.filter(({ id }) => pins.has(id));
	return pinned.length === 0 ? rows : [...pinned, ...rows.filter(({ id }) => !pins.has(id))];
}

/** A word that is not understood, such as a status that no computer has, hides no row. */
function filteredRows(
	ordered: readonly FleetRow[],
	text: string,
	wantedIds: ReadonlySet<GlobalId>,
	at: number,
	nameOf: AccountNameOf,
) {
	const { test } = filterFrom(text, computerFilter, computersOf(ordered));
	const keptIds = new Set<GlobalId>();
	const rows = ordered.filter(row => {
		const isMatch = text === '' || test(fieldSourceOf(row, nameOf), at);
		if (!isMatch && wantedIds.has(row.id)) keptIds.add(row.id);
		return isMatch || keptIds.has(row.id);
	});
	return { rows, keptIds };
}

export type RowGroup = {
	value: string | undefined;
	label: string;
	rows: readonly FleetRow[];
};

/** A status that this program does not know keeps the platform's own word. */
export function groupOf(
	row: FleetRow,
	field: GroupField,
	accounts: readonly OpenedAccount[],
): string | undefined {
	const { phase, reading } = row.computer;
	if (field === 'account') return accountOfRow(accounts, row)?.profile.name;
	if (field !== 'status') return reading[field] ?? undefined;
	return phase === 'unknown' ? (reading.status ?? phase) : phase;
}

export function groupRows(
	rows: readonly FleetRow[],
	field: GroupField,
	accounts: readonly OpenedAccount[],
): readonly RowGroup[] {
	const groups = grouped(rows, row => groupOf(row, field, accounts));
	const found = Array.from(groups, ([value, own]) => ({
		value,
		label: value ?? 'unknown',
		rows: own,
	}));
	return sortComputers(found, { by: field, isReversed: field === 'version' }, 0, {
		computerOf: ({ rows: [first] }) => first.computer,
		accountOf: ({ value }) => value,
	});
}

type Group = Pick<Heading, 'id' | 'label' | 'rows'>;

function headingsOf(
	rows: readonly FleetRow[],
	field: GroupField | undefined,
	accounts: readonly OpenedAccount[],
): readonly Group[] | undefined {
	if (field === undefined) return undefined;
	return groupRows(rows, field, accounts).map(({ value, label, rows }) => {
		return { id: headingId(field, value), label, rows };
	});
}

/**
 * In the order "trouble first", groups with trouble come first as well. They keep their places while the order is held, unless a
 * person changes the filter.
 */
function createGroupOrder() {
	let shown: readonly HeadingId[] = [];
	let shownFilter: string | undefined;

	return memoize(
		(
			groups: readonly Group[] | undefined,
			isTroubleFirst: boolean,
			filter: string,
			isHeld: boolean,
		) => {
			if (!groups || !isTroubleFirst) {
				shown = [];
				return groups;
			}
			const held = isHeld && filter === shownFilter ? shown : [];
			const placeOf = ({ id, rows }: Group) => {
				const place = held.indexOf(id);
				return place >= 0 ? place : held.length + worstTroubleIn(rows);
			};
			const ordered = groups.toSorted((a, b) => placeOf(a) - placeOf(b));
			shown = ordered.map(({ id }) => id);
			shownFilter = filter;
			return ordered;
		},
	);
}

function rowsOfGroups(all: readonly FleetRow[], headings: readonly Group[] | undefined) {
	const rows = headings?.flatMap(group => group.rows) ?? all;
	return { headings, rows, ids: rows.map(({ id }) => id) };
}

/** A key is never about another computer because the one under the cursor came into a folded group. */
function linesWithHeadings(
	{ headings, rows: all }: ReturnType<typeof rowsOfGroups>,
	foldedGroups: Screen['foldedGroups'],
	wantedIds: ReadonlySet<GlobalId>,
	pins: ReadonlySet<GlobalId>,
	cursorId: LineId | undefined,
): readonly TableLine[] {
	if (!headings) return all;
	return headings.flatMap(heading => {
		const isFolded = isGroupFolded(foldedGroups, heading.id);
		const isInSight = ({ id }: FleetRow) =>
			!isFolded || id === cursorId || wantedIds.has(id) || pins.has(id);
		return [{ ...heading, isFolded }, ...heading.rows.filter(isInSight)];
	});
}

export function hiddenUnreadCount(
	screen: Screen,
	{ allRows, rows }: Pick<VisibleRows, 'allRows' | 'rows'>,
): number {
	const { fleet: filter } = screen.filters;
	if (!isTable(screen) || filter === '') return 0;
	const { isUnread } = filterFrom(filter, computerFilter);
	const countIn = (some: readonly FleetRow[]) =>
		some.filter(({ computer, listFields }) => isUnread({ ...computer, listFields })).length;
	return countIn(allRows) - countIn(rows);
}

const keptAfterMs = 10_000;

/** The row under the cursor stays longer: if it left, the next key would act on the one in its place. */
function capturedIds(
	{ capturedRows, filters, cursor }: Screen,
	accounts: readonly OpenedAccount[],
	now: number,
): readonly GlobalId[] {
	const captured = capturedRows.filter(({ filter }) => filter === filters.fleet);
	return captured.flatMap(({ asked, ids }) => {
		if (accounts.some(({ state }) => isStillShown(state, asked, now))) return ids;
		return ids.filter(id => id === cursor?.id);
	});
}

function isStillShown(
	{ operations, endedOperations }: AccountState,
	asked: string,
	now: number,
): boolean {
	const isAsked = ({ spec }: Operation) => questionIdOf(spec) === asked;
	if ([...operations.values()].some(isAsked)) return true;
	return [...endedOperations.values()].some(
		each => isAsked(each) && each.endedAt !== undefined && now - each.endedAt < keptAfterMs,
	);
}
