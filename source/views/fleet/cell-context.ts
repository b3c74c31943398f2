import type { Change } from '../../fleet/change.ts';
import { type AccountProfile, readOnlyMark } from '../../fleet/computers/account-profile.ts';
import type { ReadingField } from '../../fleet/computers/computer.ts';
import { computerFilter, type FieldSource } from '../../fleet/computers/field.ts';
import { type Filter, filterFrom } from '../../fleet/filters/filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { TimeFormatter } from '../../lines/time-text.ts';
import type { OperationsState } from '../../operations/operations-state.ts';
import type { WaitReasonOf } from '../../operations/why-not.ts';
import type { Screen } from '../../screen/screen.ts';
import {
	type Age,
	ageShownAfterMs,
	createRowAge,
	laggingStatusAge,
	statusAnswerOf,
} from '../../store/freshness.ts';
import { accountNamesOf, accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../../store/state.ts';
import type { UsageHistory } from '../../store/usage-history.ts';

/** What the cells of the computers of one account depend on beside their rows. */
export type CellContext = {
	now: number;
	times: TimeFormatter;
	latestVersion: string | undefined;
	/** The fields that the list has. A field that it lacks is read for each computer. */
	listFields: ReadonlySet<ReadingField>;
	/** When the computer was last read; undefined if it never was. */
	lastReadAtOf: (row: FleetRow) => number | undefined;
	ageOf: (row: FleetRow) => Age;
	/** The age of the row's status in milliseconds, if the last list is much newer. */
	statusAgeOf: (row: FleetRow) => number | undefined;
	/** Whether a value that only a read of its own tells is much older than the status of the row. */
	isOlderThanRow: (row: FleetRow, field: ReadingField) => boolean;
	/** Why the operation with this key has not been sent yet. */
	waitingFor: WaitReasonOf;
	/** Whether a person can start operations here. Only then do hints name the keys of operations. */
	canChange: boolean;
	/** The earlier changes, from which the usual duration of each operation is computed. */
	changes: readonly Change[];
	usage: UsageHistory;
	/** The name of the account; undefined if the table has only one. */
	accountLabel?: AccountLabel | undefined;
	/** Returns the terms of the filter that a computer has; undefined without a filter. */
	matchedTermsOf?: Filter<FieldSource>['termsIn'] | undefined;
	/** The name by which the filter finds the account. */
	filterName?: string | undefined;
};

type AccountLabel = { name: string; colour: string | undefined; mark: string };

/** Returns the context of one account, without a filter. */
export function cellContextOf(
	account: AccountState,
	{
		now,
		times,
		waitingFor,
		canChange,
	}: Pick<CellContext, 'now' | 'times' | 'waitingFor' | 'canChange'>,
): CellContext {
	const answerOf = (computer: ComputerState) => statusAnswerOf(account, computer);
	const ageOf = createRowAge(account, now);
	return {
		now,
		times,
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
		canChange,
		changes: account.changes,
		usage: account.usage,
	};
}

/** The part of a scene that cells depend on. */
export type CellScene = Pick<CellContext, 'now' | 'times' | 'waitingFor'> & {
	accounts: readonly OpenedAccount[];
	operationsState: Pick<OperationsState, 'isReadOnly'>;
	screen: Pick<Screen, 'filters'>;
	hasColours: boolean;
};

/** Returns a function for the context of a row, which all rows of its account share. */
export function cellContextsOf(scene: CellScene): (row: FleetRow) => CellContext {
	const { accounts, operationsState, screen } = scene;
	const profiles = accounts.map(({ profile }) => profile);
	const labels = accounts.length > 1 ? accountLabels(profiles, scene.hasColours) : undefined;
	const nameOf = accountNamesOf(profiles);
	const filter = screen.filters.fleet;
	const contexts = new Map<string, CellContext>();
	return row => {
		const known = contexts.get(row.account);
		if (known) return known;
		const { profile, state = emptyAccount } = accountOfRow(accounts, row) ?? {};
		const canChange = !operationsState.isReadOnly && profile?.isReadOnly !== true;
		const context: CellContext = {
			...cellContextOf(state, { ...scene, canChange }),
			accountLabel: labels?.get(row.account),
			matchedTermsOf: filter === '' ? undefined : termsInFor(filter),
			filterName: nameOf(row),
		};
		contexts.set(row.account, context);
		return context;
	};
}

/** The terms of a filter are compiled to patterns, so they stay the same objects while the filter is the same. */
const termsInFor = memoize((filter: string) => filterFrom(filter, computerFilter).termsIn);

/** Returns the label of each account. Where there are no colours, a letter of its own tells it apart. */
function accountLabels(
	profiles: readonly AccountProfile[],
	hasColours: boolean,
): ReadonlyMap<string, AccountLabel> {
	const letters = distinctLetters(profiles.map(({ shortName }) => shortName));
	return new Map(
		profiles.map((profile, at) => {
			const { account, shortName, colour } = profile;
			const name = hasColours ? shortName : `${letters[at]} ${shortName}`;
			return [account, { name, colour, mark: readOnlyMark(profile, profiles) }];
		}),
	);
}

/** Returns a letter for each name, of the name where possible. Each letter is used once. */
export function distinctLetters(names: readonly string[]): readonly string[] {
	const taken = new Set<string>();
	return names.map(name => {
		const letters = [...`${name}abcdefghijklmnopqrstuvwxyz`.toUpperCase()];
		const letter = letters.find(each => /\p{L}/u.test(each) && !taken.has(each)) ?? '';
		taken.add(letter);
		return letter;
	});
}
