import { filterFrom } from '../../fleet/computers/filter.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';

/** Returns the name of a row's account; undefined in a table of one account. */
export type AccountNameOf = (row: FleetRow) => string | undefined;

/** The rows of the table, and those among them that the filter would hide. */
type FilteredRows = { rows: readonly FleetRow[]; keptIds: ReadonlySet<GlobalId> };

type FilterOptions = {
	filter: string;
	/** The rows that stay although the filter would hide them. */
	keptIds: ReadonlySet<GlobalId>;
	at: number;
	nameOf: AccountNameOf;
};

/** Returns a function for the name of a row's account. A table of one account names none. */
export function accountNamesOf(accounts: readonly OpenedAccount[]): AccountNameOf {
	// The filter finds the short name, which the table shows, and the name of the profile.
	const names = new Map(
		accounts.map(({ profile: { account, name, shortName } }) => [
			account,
			name.includes(shortName) ? name : `${name} ${shortName}`,
		]),
	);
	return accounts.length > 1 ? row => names.get(row.account) : () => undefined;
}

const noIds: ReadonlySet<GlobalId> = new Set();

/** Creates a function that filters the rows. It returns the same object while none of its inputs changes. */
export function createRowFilter() {
	let last:
		| (FilterOptions & FilteredRows & { allRows: readonly FleetRow[]; wanted: unknown })
		| undefined;
	const unfiltered = memoize(
		(rows: readonly FleetRow[]): FilteredRows => ({ rows, keptIds: noIds }),
	);

	return (allRows: readonly FleetRow[], options: FilterOptions): FilteredRows => {
		const { filter, keptIds: wanted, at, nameOf } = options;
		if (filter === '') return unfiltered(allRows);
		const isSame = last?.allRows === allRows && last.at === at && last.wanted === wanted;
		if (last && isSame && last.filter === filter) return last;
		const from = last && isSame && isNarrower(last.filter, filter) ? last.rows : allRows;
		const { test } = filterFrom(filter, { wordsMatch: 'anything' });
		const keptIds = new Set<GlobalId>();
		const rows = from.filter(row => {
			if (test(row.computer, at, nameOf(row))) return true;
			if (!wanted.has(row.id)) return false;
			keptIds.add(row.id);
			return true;
		});
		last = { ...options, allRows, wanted, rows, keptIds };
		return last;
	};
}

// Returns whether the new filter can only match rows that the earlier filter matched: it adds letters to a
// plain word. With a quotation mark, the letters may belong to an excluded phrase instead, and match more rows.
function isNarrower(before: string, filter: string): boolean {
	return filter.startsWith(before) && /(^|\s)[^\s:-][^\s:]*$/.test(filter) && !/OR|"/.test(filter);
}

/**
 * Creates a selector for the computers of batches whose rows stay in the table: those that were captured under the
 * present filter, until a person dismisses the batch. Another filter shows only what it matches.
 */
export function createKeptIdsSelector() {
	const select = memoize(
		(
			captured: Screen['capturedRows'],
			filter: string,
			...batches: readonly AccountState['batches'][]
		): ReadonlySet<GlobalId> => {
			const kept = captured.filter(
				each => each.filter === filter && batches.some(some => some.has(each.batch)),
			);
			return kept.length === 0 ? noIds : new Set(kept.flatMap(({ ids }) => [...ids]));
		},
	);
	// A batch makes progress with each answer. The same set is returned while the same batches exist.
	let last: ReadonlySet<GlobalId> = noIds;

	return ({ capturedRows, filters }: Screen, accounts: readonly OpenedAccount[]) => {
		if (capturedRows.length === 0) return noIds;
		const next = select(capturedRows, filters.fleet, ...accounts.map(({ state }) => state.batches));
		const isSame = next.size === last.size && [...next].every(id => last.has(id));
		last = isSame ? last : next;
		return last;
	};
}
