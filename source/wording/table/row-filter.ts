import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import {
	countUnread,
	createStatusTest,
	type Filter,
	filterFrom,
} from '../../fleet/computers/filter.ts';
import { isNarrower } from '../../fleet/computers/filter-narrowing.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { createWordIndex } from '../../fleet/computers/word-search.ts';
import { isTable, type Screen } from '../../screen/screen.ts';
import { computersOf, type FleetRow } from '../../store/selectors.ts';

/** Returns the name of a row's account; undefined in a table of one account. */
export type AccountNameOf = (row: FleetRow) => string | undefined;

/** The rows of the table, and those among them that the filter would hide. */
type FilteredRows = {
	rows: readonly FleetRow[];
	ids: readonly GlobalId[];
	keptIds: ReadonlySet<GlobalId>;
};

type FilterOptions = {
	filter: string;
	/** The rows that stay although the filter would hide them. */
	keptIds: ReadonlySet<GlobalId>;
	at: number;
	nameOf: AccountNameOf;
	/** Whether a person is typing the filter. */
	isTyping: boolean;
	/** The ids of all rows, if they are known already. */
	ids?: readonly GlobalId[] | undefined;
};

/** Returns how many of the rows that the filter hides may match once they are read. */
export function hiddenUnreadCount(
	screen: Screen,
	{ allRows, rows }: { allRows: readonly FleetRow[]; rows: readonly FleetRow[] },
): number {
	const filter = isTable(screen) ? screen.filters.fleet : '';
	const countIn = (some: readonly FleetRow[]) => countUnread(filter, computersOf(some));
	return filter === '' ? 0 : countIn(allRows) - countIn(rows);
}

/** Returns a function for the name of a row's account. A table of one account names none. */
export function accountNamesOf(profiles: readonly AccountProfile[]): AccountNameOf {
	// The filter finds the short name, which the table shows, and the name of the profile.
	const names = new Map(
		profiles.map(({ account, name, shortName }) => [
			account,
			name.includes(shortName) ? name : `${name} ${shortName}`,
		]),
	);
	return profiles.length > 1 ? row => names.get(row.account) : () => undefined;
}

const noRows: readonly FleetRow[] = [];
const noIds: ReadonlySet<GlobalId> = new Set();

/** A filter that was typed. */
type FilterStep = {
	text: string;
	filter: Filter;
	/** Whether any computer had each status that the filter names and that only the platform may know. */
	knownStatuses: ReadonlyMap<string, boolean>;
	/** The rows that the filter leaves beside the wanted ones; undefined until they are needed. */
	found: FilteredRows | undefined;
	wanted: ReadonlySet<GlobalId>;
};

/**
 * Creates a filter of rows. `apply` returns the same object while none of its inputs changes.  While a person types a
 * filter, each new letter is tried only on the rows that the previous letters left. The rows of each step are kept, so
 * that erasing a letter shows them at once. The steps are:  all rows → “a” → “at” → “atl”
 */
export function createRowFilter() {
	let steps: FilterStep[] = [];
	let rows: readonly FleetRow[] = [];
	/** For the row in each place, how many of the steps it matches before the first that it does not match. */
	let depths = new Uint16Array(0);
	/** The places of the rows that were found last. */
	let places = new Uint32Array(0);
	let at = 0;
	let nameOf: AccountNameOf = () => undefined;
	let index: ReturnType<typeof createWordIndex<FleetRow>> | undefined;
	/** The rows without a filter; undefined once there are newer rows. */
	let unfiltered: FilteredRows | undefined;

	const isMatch = (row: FleetRow, { filter }: FilterStep) =>
		filter.test(row.computer, at, nameOf(row));

	function clear() {
		steps = [];
		depths.fill(0);
	}

	/** Tries the steps on each row that is new in its place. */
	function setRows(next: readonly FleetRow[]) {
		const [rowsBefore, depthsBefore] = [rows, depths];
		rows = next;
		if (unfiltered?.rows !== next) unfiltered = undefined;
		if (next.length !== depths.length) {
			depths = new Uint16Array(next.length);
			depths.set(depthsBefore.subarray(0, next.length));
			places = new Uint32Array(next.length);
		}
		if (steps.length === 0) return;
		let deepest = depthsBefore.subarray(next.length).reduce((a, b) => Math.max(a, b), 0);
		for (let place = 0; place < next.length; place++) {
			const row = next[place] as FleetRow;
			if (row === rowsBefore[place]) continue;
			const firstMiss = steps.findIndex(step => !isMatch(row, step));
			const depth = firstMiss < 0 ? steps.length : firstMiss;
			deepest = Math.max(deepest, depth, depths[place] ?? 0);
			depths[place] = depth;
		}
		// A step leaves other rows than before only if one of the changed rows is or was among them.
		for (const [before, step] of steps.entries())
			if (before < deepest || step.wanted.size > 0) step.found = undefined;
	}

	/** Takes away all steps but the first ones. */
	function keepSteps(count: number) {
		if (steps.length <= count) return;
		for (let place = 0; place < depths.length; place++)
			if ((depths[place] as number) > count) depths[place] = count;
		steps.length = count;
	}

	/** Adds a step, and tries it on the rows that the steps before it leave. */
	function addStep(step: FilterStep) {
		const before = steps.length;
		steps.push(step);
		const { wordSearch } = step.filter;
		if (wordSearch && index) {
			index.update(rows);
			index.raiseDepths(depths, before, wordSearch);
			return;
		}
		for (let place = 0; place < depths.length; place++)
			if (depths[place] === before && isMatch(rows[place] as FleetRow, step))
				depths[place] = before + 1;
	}

	/** Tries a filter that was typed just now. */
	function addFilter(text: string) {
		const knownStatuses = new Map<string, boolean>();
		const isKnownStatus = (status: string) => {
			const isKnown = hasStatus(rows, status);
			knownStatuses.set(status, isKnown);
			return isKnown;
		};
		const filter = filterFrom(text, {
			wordsMatch: 'anything',
			isKnownStatus,
			ignoresUnknownStatus: true,
		});
		keepSteps(steps.findLastIndex(step => isNarrower(filter, step.filter)) + 1);
		addStep({ text, filter, knownStatuses, found: undefined, wanted: noIds });
	}

	/** Returns the rows that all steps leave, and those among the wanted ones that they would hide. */
	function findRows(wanted: ReadonlySet<GlobalId>): FilteredRows {
		const depth = steps.length;
		const keptIds = new Set<GlobalId>();
		let count = 0;
		for (let place = 0; place < depths.length; place++) {
			if (depths[place] !== depth) continue;
			places[count] = place;
			count += 1;
		}
		if (wanted.size > 0) {
			count = 0;
			for (const [place, { id }] of rows.entries()) {
				if (depths[place] !== depth) {
					if (!wanted.has(id)) continue;
					keptIds.add(id);
				}
				places[count] = place;
				count += 1;
			}
		}
		if (count === rows.length && unfiltered) return { ...unfiltered, keptIds };
		// The copies have their size at once. An array of ten thousand rows that grows would be copied twenty times.
		const found = rows.slice(0, count);
		for (let n = 0; n < count; n++) found[n] = rows[places[n] as number] as FleetRow;
		if (!unfiltered) return { rows: found, ids: idsOf(found), keptIds };
		const ids = unfiltered.ids.slice(0, count);
		for (let n = 0; n < count; n++) ids[n] = unfiltered.ids[places[n] as number] as GlobalId;
		return { rows: found, ids, keptIds };
	}

	return {
		apply(allRows: readonly FleetRow[], options: FilterOptions): FilteredRows {
			if (!options.isTyping) index = undefined;
			if (options.filter === '') {
				steps = [];
				rows = noRows;
				depths = new Uint16Array(0);
				if (unfiltered?.rows !== allRows) {
					const ids = options.ids ?? idsOf(allRows, unfiltered?.ids);
					unfiltered = { rows: allRows, ids, keptIds: noIds };
				}
				return unfiltered;
			}
			if (at !== options.at || nameOf !== options.nameOf) clear();
			if (allRows !== rows && steps.some(step => hasOtherStatuses(step, allRows))) clear();
			({ at, nameOf } = options);
			const last = steps.findIndex(({ text }) => text === options.filter);
			if (last >= 0) keepSteps(last + 1);
			if (allRows !== rows) setRows(allRows);
			if (last < 0) addFilter(options.filter);
			const step = steps.at(-1) as FilterStep;
			if (step.found === undefined || step.wanted !== options.keptIds) {
				step.wanted = options.keptIds;
				step.found = findRows(step.wanted);
			}
			return step.found;
		},
		/** Reads the texts of the rows in advance, so that the next letter need not. They are kept while a person types. */
		prepare(allRows: readonly FleetRow[]) {
			index ??= createWordIndex(({ computer }) => computer);
			index.update(allRows);
		},
	};
}

/**
 * Returns the ids of the rows, as the same array as before if they have not changed. The loops call no function, because
 * a call for each of ten thousand rows takes longer than ordering them.
 */
function idsOf(rows: readonly FleetRow[], before: readonly GlobalId[] = []): readonly GlobalId[] {
	const { length } = rows;
	let at = 0;
	while (at < length && rows[at]?.id === before[at]) at += 1;
	if (at === length && length === before.length) return before;
	// The copy has its size at once.
	const ids = before.slice(0, length);
	for (; at < length; at++) ids[at] = (rows[at] as FleetRow).id;
	return ids;
}

const hasStatus = (rows: readonly FleetRow[], status: string) =>
	createStatusTest(computersOf(rows))(status);

/** Whether a status that a filter names has become known, or is no longer known. */
const hasOtherStatuses = ({ knownStatuses }: FilterStep, rows: readonly FleetRow[]) =>
	[...knownStatuses].some(([status, isKnown]) => hasStatus(rows, status) !== isKnown);
