import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import { createStatusTest, type Filter, filterFrom } from '../../fleet/computers/filter.ts';
import { isNarrower } from '../../fleet/computers/filter-narrowing.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { createItemValues } from '../../foundation/item-values.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import { computersOf, type FleetRow } from '../../store/selectors.ts';
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
	/** Whether any computer had each status that the filter names and that only the platform may know. */
	knownStatuses: ReadonlyMap<string, boolean>;
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
	let lastRows: readonly FleetRow[] = [];
	let at: number | undefined;
	let nameOf: AccountNameOf | undefined;
	const unfiltered = memoize(
		(rows: readonly FleetRow[]): FilteredRows => ({ rows, keptIds: noIds }),
	);

	/** Returns the steps that lead to the typed filter, ending with the filter itself. */
	function stepsTo(text: string, allRows: readonly FleetRow[]): FilterStep[] {
		const last = steps.findIndex(step => step.text === text);
		if (last >= 0) return steps.slice(0, last + 1);
		const knownStatuses = new Map<string, boolean>();
		const isKnownStatus = (status: string) => {
			const isKnown = hasStatus(allRows, status);
			knownStatuses.set(status, isKnown);
			return isKnown;
		};
		const filter = filterFrom(text, {
			...{ wordsMatch: 'anything', isKnownStatus, ignoresUnknownStatus: true },
		});
		const wider = steps.findLastIndex(step => isNarrower(filter, step.filter));
		const matchesOf = createItemValues((row: FleetRow) =>
			filter.test(row.computer, at ?? 0, nameOf?.(row)),
		);
		const found = { rows: [], keptIds: noIds };
		return [
			...steps.slice(0, wider + 1),
			{ text, filter, knownStatuses, matchesOf, from: [], wanted: noIds, found },
		];
	}

	return (allRows: readonly FleetRow[], options: FilterOptions): FilteredRows => {
		if (options.filter === '') {
			steps = [];
			lastRows = allRows;
			return unfiltered(allRows);
		}
		if (at !== options.at || nameOf !== options.nameOf) steps = [];
		if (allRows !== lastRows && steps.some(step => hasOtherStatuses(step, allRows))) steps = [];
		({ at, nameOf } = options);
		lastRows = allRows;
		steps = stepsTo(options.filter, allRows);
		let found = unfiltered(allRows);
		for (const step of steps) found = foundIn(step, found.rows, options.keptIds);
		return found;
	};
}

const hasStatus = (rows: readonly FleetRow[], status: string) =>
	createStatusTest(computersOf(rows))(status);

/** Whether a status that a filter names has become known, or is no longer known. */
const hasOtherStatuses = ({ knownStatuses }: FilterStep, rows: readonly FleetRow[]) =>
	[...knownStatuses].some(([status, isKnown]) => hasStatus(rows, status) !== isKnown);

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

type CapturingScreen = Pick<Screen, 'capturedRows' | 'filters' | 'cursor'>;

/** The row of a computer stays for this long after its operation has ended, so that a person sees how it ended. */
const keptAfterMs = 10_000;

/**
 * Creates a selector for the computers whose rows stay in the table, although the filter would hide them. They were
 * captured under the present filter. The rows of a batch stay until a person dismisses the batch. The row of a single
 * operation stays until a moment after its end, and while the cursor is on it: if it left, the next key would act on
 * the computer that took its place.
 */
export function createKeptIdsSelector() {
	let captures: Screen['capturedRows'] = [];
	let last: ReadonlySet<GlobalId> = noIds;

	return (
		screen: CapturingScreen,
		accounts: readonly OpenedAccount[],
		now: number,
	): ReadonlySet<GlobalId> => {
		if (screen.capturedRows.length === 0) return noIds;
		const next = keptCaptures(screen, accounts, now);
		// A batch may have ten thousand computers, and makes progress with each answer.
		const isSame =
			next.length === captures.length && next.every((each, at) => each === captures[at]);
		if (isSame) return last;
		captures = next;
		last = next.length === 0 ? noIds : new Set(next.flatMap(({ ids }) => [...ids]));
		return last;
	};
}

/** Returns the captures that keep their rows under the present filter. */
function keptCaptures(
	{ capturedRows, filters, cursor }: CapturingScreen,
	accounts: readonly OpenedAccount[],
	now: number,
): Screen['capturedRows'] {
	return capturedRows.filter(({ asked, filter, ids: [id, another] }) => {
		if (filter !== filters.fleet) return false;
		const isUnderCursor = another === undefined && id === cursor?.id;
		return isUnderCursor || accounts.some(({ state }) => isStillShown(state, asked, now));
	});
}

/** Creates a function that counts the rows that leave the table when a batch is dismissed: those that only it keeps. */
export function createKeptCounter() {
	// The result is cached, because a batch may have ten thousand computers.
	const count = memoize(
		(keptIds: ReadonlySet<GlobalId>, batchId: string, ...captures: Screen['capturedRows']) => {
			const idsOf = (those: Screen['capturedRows']) =>
				new Set(those.flatMap(({ ids }) => [...ids]));
			const own = idsOf(captures.filter(({ asked }) => asked === batchId));
			const others = idsOf(captures.filter(({ asked }) => asked !== batchId));
			return [...own].filter(id => keptIds.has(id) && !others.has(id)).length;
		},
	);
	return (
		screen: CapturingScreen,
		accounts: readonly OpenedAccount[],
		now: number,
		keptIds: ReadonlySet<GlobalId>,
		batchId: string,
	): number =>
		keptIds.size === 0 ? 0 : count(keptIds, batchId, ...keptCaptures(screen, accounts, now));
}

/** Whether a batch was not dismissed yet, or an operation is under way, has failed, or ended a moment ago. */
function isStillShown(
	{ batches, operations, endedOperations }: AccountState,
	asked: string,
	now: number,
): boolean {
	if (batches.has(asked) || operations.has(asked)) return true;
	const endedAt = endedOperations.get(asked)?.endedAt;
	return endedAt !== undefined && now - endedAt < keptAfterMs;
}
