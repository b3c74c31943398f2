import type { Theme } from '../../drawing/theme.ts';
import type { Change } from '../../fleet/change.ts';
import { type AccountProfile, readOnlyMark } from '../../fleet/computers/account-profile.ts';
import type { Reading, ReadingField } from '../../fleet/computers/computer.ts';
import { type FindMatchingTerms, filterFrom } from '../../fleet/computers/filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { OperationsState } from '../../operations/operations-state.ts';
import type { WaitReason, WaitReasonOf } from '../../operations/why-not.ts';
import {
	type Age,
	ageShownAfterMs,
	createRowAge,
	createStatusAnswers,
	laggingStatusAge,
} from '../../store/freshness.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { type AccountState, emptyAccount } from '../../store/state.ts';
import type { UsageHistory } from '../../store/usage-history.ts';
import { accountNamesOf } from './row-filter.ts';

/** How cells name an account. The letter tells accounts apart where there are no colours. */
export type AccountLabel = {
	name: string;
	letter: string;
	colour: string | undefined;
	/** A mark behind the name of a read-only account, if others can be changed. */
	mark: string;
};

/** Returns the label of each account, by account. Each letter is used once. */
export function accountLabelsOf(
	profiles: readonly AccountProfile[],
): ReadonlyMap<string, AccountLabel> {
	const taken = new Set<string>();
	const labels = new Map<string, AccountLabel>();
	for (const profile of profiles) {
		const { account, shortName: name, colour } = profile;
		const letters = [...`${name}abcdefghijklmnopqrstuvwxyz`.toUpperCase()];
		const letter = letters.find(each => /\p{L}/u.test(each) && !taken.has(each)) ?? '';
		taken.add(letter);
		labels.set(account, { name, letter, colour, mark: readOnlyMark(profile, profiles) });
	}
	return labels;
}

/** The values that a cell of the table of computers needs in addition to its row. */
export type CellContext = {
	now: number;
	latestVersion: string | undefined;
	/** The fields that the list has. A field that it lacks is read for each computer. */
	listFields: ReadonlySet<keyof Reading>;
	/**
	 * Returns the time at which the row's computer was last read, in milliseconds since the epoch, or
	 * undefined if it has never been read.
	 */
	lastReadAtOf: (row: FleetRow) => number | undefined;
	/** Returns whether the data of the row is fresh, late or old. */
	ageOf: (row: FleetRow) => Age;
	/** Returns the age of the row's status in milliseconds, if the last list is much newer. */
	statusAgeOf: (row: FleetRow) => number | undefined;
	/** Whether a value that only a read of its own tells is much older than the status of the row. */
	isOlderThanRow: (row: FleetRow, field: ReadingField) => boolean;
	/** Returns the reason why the operation with this key has not been sent yet. */
	waitingFor: (key: string) => WaitReason | undefined;
	/** Whether a person can start operations here. Only then do hints name the keys of operations. */
	canChange: boolean;
	/** Whether a cell has the whole text of an error, because a command prints it and goes on in the next line. */
	hasWholeErrors?: boolean;
	/** The earlier changes from which the usual duration of each operation is computed. */
	changes: readonly Change[];
	/** The CPU and memory of the account's computers in the last 30 minutes. */
	usage: UsageHistory;
	/** The name of the account in the table, with a letter of its own; undefined if the table has one account. */
	accountLabel?: AccountLabel | undefined;
	/** Returns the terms of the filter that a computer has; undefined without a filter. */
	matchedTermsOf?: FindMatchingTerms | undefined;
	/** The name by which the filter finds the account; undefined if the table has one account. */
	filterName?: string | undefined;
	theme: Theme;
};

type CellContextOptions = {
	account: AccountState;
	accountLabel?: AccountLabel | undefined;
	filter?: string | undefined;
	filterName?: string | undefined;
	operationsState: Pick<OperationsState, 'isReadOnly'>;
	waitingFor: WaitReasonOf;
	now: number;
	theme: Theme;
};

/** Creates the context that all cells of one account share in one frame. */
export function cellContextOf(options: CellContextOptions): CellContext {
	const { account, accountLabel, filter = '', filterName, now, theme } = options;
	const { operationsState, waitingFor } = options;
	const answerOf = createStatusAnswers(account);
	const ageOf = createRowAge(account, now, answerOf);
	return {
		now,
		latestVersion: account.release?.version,
		listFields: account.listFields,
		lastReadAtOf: ({ computer }) => answerOf(computer)?.at,
		ageOf: ({ computer }) => ageOf(computer),
		statusAgeOf: ({ computer }) => laggingStatusAge(account, answerOf(computer), now),
		isOlderThanRow({ computer }, field) {
			if (account.listFields.has(field)) return false;
			const { detail, restoredFrom } = account.computerReads.get(computer.id) ?? {};
			const readAt = detail?.at ?? restoredFrom;
			const statusAt = answerOf(computer)?.at;
			return readAt !== undefined && statusAt !== undefined && statusAt - readAt > ageShownAfterMs;
		},
		waitingFor,
		canChange: !operationsState.isReadOnly,
		changes: account.changes,
		usage: account.usage,
		accountLabel,
		matchedTermsOf: filter === '' ? undefined : termsInFor(filter),
		filterName,
		theme,
	};
}

const lastTermsIn = new Map<string, FindMatchingTerms>();

/**
 * Rows are composed again when this function changes. So the same function is returned for each of the last filters,
 * because an erased letter leads back to one of them.
 */
function termsInFor(filter: string): FindMatchingTerms {
	const termsIn = lastTermsIn.get(filter) ?? filterFrom(filter, { wordsMatch: 'anything' }).termsIn;
	// The filter that was used last stands at the end.
	lastTermsIn.delete(filter);
	lastTermsIn.set(filter, termsIn);
	const [oldest] = lastTermsIn.keys();
	if (lastTermsIn.size > maxKeptFilters && oldest !== undefined) lastTermsIn.delete(oldest);
	return termsIn;
}

const maxKeptFilters = 8;

type CellContextsOptions = Omit<CellContextOptions, 'account' | 'accountLabel' | 'filterName'> & {
	accounts: readonly OpenedAccount[];
};

// Both are kept, because every frame needs them, and the profiles seldom change.
const labelsFor = memoize((...profiles: readonly AccountProfile[]) => accountLabelsOf(profiles));
const namesFor = memoize((...profiles: readonly AccountProfile[]) => accountNamesOf(profiles));

/** Returns a function for the context of a row, which all rows of its account share in one frame. */
export function cellContextsOf(options: CellContextsOptions): (row: FleetRow) => CellContext {
	const { accounts, operationsState } = options;
	const profiles = accounts.map(({ profile }) => profile);
	const [labels, nameOf] = [labelsFor(...profiles), namesFor(...profiles)];
	const contexts = new Map<string, CellContext>();
	return row => {
		const known = contexts.get(row.account);
		if (known) return known;
		const { profile, state = emptyAccount } = accountOfRow(accounts, row) ?? {};
		const isReadOnly = operationsState.isReadOnly || profile?.isReadOnly === true;
		const accountLabel = profile && accounts.length > 1 ? labels.get(profile.account) : undefined;
		const context = cellContextOf({
			...options,
			account: state,
			accountLabel,
			filterName: nameOf(row),
			operationsState: { isReadOnly },
		});
		contexts.set(row.account, context);
		return context;
	};
}
