import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import { type Filter, filterFrom } from '../../fleet/computers/filter.ts';
import { isNarrower } from '../../fleet/computers/filter-narrowing.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { createItemValues } from '../../foundation/item-values.ts';
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

const noIds: ReadonlySet<GlobalId> = new Set();

/** A filter that was typed, with the rows that it left. */
type FilterStep = {
	text: string;
	filter: Filter;
	/** Whether each row matches. It is computed again only for rows that have changed. */
	matchesOf: (rows: readonly FleetRow[]) => readonly boolean[];
	from: readonly FleetRow[];
	wanted: ReadonlySet<GlobalId>;
	found: FilteredRows;
};

/**
 * Creates a function that filters the rows. It returns the same object while none of its inputs changes.
 *
 * While a person types a filter, each new letter is tried only on the rows that the previous letters left. The rows
 * of each step are kept, so that erasing a letter shows them at once. The steps are:
 *
 *    all rows → “a” → “at” → “atl”
 */
export function createRowFilter() {
	let steps: FilterStep[] = [];
	let at: number | undefined;
	let nameOf: AccountNameOf | undefined;
	const unfiltered = memoize(
		(rows: readonly FleetRow[]): FilteredRows => ({ rows, keptIds: noIds }),
	);

	/** Returns the steps that lead to the typed filter, ending with the filter itself. */
	function stepsTo(text: string): FilterStep[] {
		const last = steps.findIndex(step => step.text === text);
		if (last >= 0) return steps.slice(0, last + 1);
		const filter = filterFrom(text, { wordsMatch: 'anything' });
		const wider = steps.findLastIndex(step => isNarrower(filter, step.filter));
		const matchesOf = createItemValues((row: FleetRow) =>
			filter.test(row.computer, at ?? 0, nameOf?.(row)),
		);
		const found = { rows: [], keptIds: noIds };
		return [
			...steps.slice(0, wider + 1),
			{ text, filter, matchesOf, from: [], wanted: noIds, found },
		];
	}

	return (allRows: readonly FleetRow[], options: FilterOptions): FilteredRows => {
		if (options.filter === '') {
			steps = [];
			return unfiltered(allRows);
		}
		if (at !== options.at || nameOf !== options.nameOf) steps = [];
		({ at, nameOf } = options);
		steps = stepsTo(options.filter);
		let found = unfiltered(allRows);
		for (const step of steps) found = foundIn(step, found.rows, options.keptIds);
		return found;
	};
}

/** Returns the rows that a filter leaves, and keeps them in its step for the next time. */
function foundIn(
	step: FilterStep,
	from: readonly FleetRow[],
	wanted: ReadonlySet<GlobalId>,
): FilteredRows {
	if (step.from === from && step.wanted === wanted) return step.found;
	const matches = step.matchesOf(from);
	const keptIds = new Set<GlobalId>();
	const rows = from.filter((row, place) => {
		if (matches[place]) return true;
		if (!wanted.has(row.id)) return false;
		keptIds.add(row.id);
		return true;
	});
	step.from = from;
	step.wanted = wanted;
	step.found = { rows, keptIds };
	return step.found;
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
