import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { createSorter } from '../../fleet/computers/ordering.ts';
import { phasesByUrgency } from '../../fleet/computers/sort-values.ts';
import { compareVersions } from '../../fleet/computers/version.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Grouping } from '../../screen/map-look.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { phaseStyles } from '../../views/fleet/status.ts';

/** Computers that have a value in common. They are ordered by name, so that each keeps its place. */
export type MapGroup = {
	/** The common value; undefined for the computers without one. */
	value: string | undefined;
	label: string;
	rows: readonly FleetRow[];
};

type GroupingRow = {
	title: string;
	/** Returns the value by which a computer is grouped; undefined if it is not known. */
	groupOf: (row: FleetRow, accounts: readonly OpenedAccount[]) => string | undefined;
	/** Returns the label of a group, if it differs from the value. */
	labelOf?: (value: string) => string;
	compare: (a: string, b: string) => number;
	/** Whether the values come from the accounts, so that they can change although no computer changes. */
	isOfAccount?: true;
	/** Returns the term of a filter that the computers of the group match. */
	filterTerm: (value: string) => string;
};

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const isPhase = (word: string): word is Phase => Object.hasOwn(phaseStyles, word);

const urgencyOf = (word: string) => phasesByUrgency.indexOf(isPhase(word) ? word : 'unknown');

/** Writes a value of a filter that may contain spaces. */
export const quotedFilterValue = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

/** THE table of groupings of the map. */
export const groupingRows: Readonly<Record<Grouping, GroupingRow>> = {
	location: {
		title: 'location',
		groupOf: ({ computer }) => computer.reading.location ?? undefined,
		compare: byText,
		filterTerm: value => `location:=${quotedFilterValue(value)}`,
	},
	status: {
		title: 'status',
		groupOf: ({ computer: { phase, reading } }) =>
			phaseOf(reading.status) === 'unknown' ? (reading.status ?? 'unknown') : phase,
		labelOf: value => (isPhase(value) ? phaseStyles[value].label.toLowerCase() : value),
		compare: (a, b) => urgencyOf(a) - urgencyOf(b) || byText(a, b),
		filterTerm: value => `status:=${quotedFilterValue(value)}`,
	},
	version: {
		title: 'version',
		groupOf: ({ computer }) => computer.reading.version ?? undefined,
		compare: (a, b) => compareVersions(b, a) || byText(a, b),
		filterTerm: value => `version:${quotedFilterValue(value)}`,
	},
	account: {
		title: 'account',
		groupOf: (row, accounts) => accountOfRow(accounts, row)?.profile.name,
		compare: byText,
		isOfAccount: true,
		filterTerm: value => `account:${quotedFilterValue(value)}`,
	},
};

type GroupOptions = {
	accounts: readonly OpenedAccount[];
	allRows: readonly FleetRow[];
	/** The rows that match the filter, in any order. */
	rows: readonly FleetRow[];
	grouping: Grouping;
};

/**
 * Creates a function that divides the rows into groups. A group in which nothing changed stays the same object, so
 * that its part of the map is not composed again.
 */
export function createMapGroups(): (options: GroupOptions) => readonly MapGroup[] {
	const order = createSorter<FleetRow>({ fieldSourceOf: ({ computer }) => computer });
	const byName = memoize((rows: readonly FleetRow[]) =>
		order(rows, { by: 'name', isReversed: false }, 0),
	);
	let earlier: readonly MapGroup[] = [];

	const divided = memoize(
		(
			allRows: readonly FleetRow[],
			rows: readonly FleetRow[],
			grouping: Grouping,
			accounts: readonly OpenedAccount[],
		): readonly MapGroup[] => {
			const shown = rows.length === allRows.length ? undefined : new Set(rows);
			const parts = new Map<string | undefined, FleetRow[]>();
			const { groupOf } = groupingRows[grouping];
			for (const row of byName(allRows)) {
				if (shown && !shown.has(row)) continue;
				const value = groupOf(row, accounts);
				const part = parts.get(value);
				if (part) part.push(row);
				else parts.set(value, [row]);
			}
			earlier = groupsFrom(parts, grouping, earlier);
			return earlier;
		},
	);
	const none: readonly OpenedAccount[] = [];

	return ({ accounts, allRows, rows, grouping }) =>
		divided(allRows, rows, grouping, groupingRows[grouping].isOfAccount ? accounts : none);
}

function groupsFrom(
	parts: ReadonlyMap<string | undefined, readonly FleetRow[]>,
	grouping: Grouping,
	earlier: readonly MapGroup[],
): readonly MapGroup[] {
	const { compare, labelOf = value => value } = groupingRows[grouping];
	const values = [...parts.keys()].filter(value => value !== undefined).sort(compare);
	const all: readonly (string | undefined)[] = parts.has(undefined)
		? [...values, undefined]
		: values;
	return all.map(value => {
		const rows = parts.get(value) ?? [];
		const label = value === undefined ? 'unknown' : labelOf(value);
		const before = earlier.find(group => group.value === value && group.label === label);
		const isSame =
			before?.rows.length === rows.length && before.rows.every((row, at) => row === rows[at]);
		return isSame ? before : { value, label, rows };
	});
}
