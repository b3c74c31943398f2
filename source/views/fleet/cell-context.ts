import type { Change } from '../../fleet/change.ts';
import { type AccountProfile, readOnlyMark } from '../../fleet/computers/account-profile.ts';
import type { ReadingField } from '../../fleet/computers/computer.ts';
import { computerFilter, type FieldSource } from '../../fleet/computers/field.ts';
import { type Filter, filterFrom } from '../../fleet/filters/filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { TimeFormatter } from '../../lines/time-text.ts';
import type { OperationsState } from '../../operations/operations-state.ts';
import type { WaitReasonOf } from '../../operations/why-not.ts';
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
import type { Screen } from '../look/screen.ts';

/** What the cells of the computers of one account depend on beside their rows. */
export type CellContext = {
	now: number;
	times: TimeFormatter;
	latestVersion: string | undefined;
	/** A field that the list lacks is read for each computer. */
	listFields: ReadonlySet<ReadingField>;
	lastReadAtOf: (row: FleetRow) => number | undefined;
	ageOf: (row: FleetRow) => Age;
	/** Undefined unless the last list is much newer than the status. */
	statusAgeOf: (row: FleetRow) => number | undefined;
	/** A value that only a read of its own tells may be much older than the status of the row. */
	isOlderThanRow: (row: FleetRow, field: ReadingField) => boolean;
	waitingFor: WaitReasonOf;
	/** Only where a person can start operations do hints name their keys. */
	canChange: boolean;
	changes: readonly Change[];
	usage: UsageHistory;
	/** Undefined if the table has only one account. */
	accountLabel?: AccountLabel | undefined;
	/** Undefined without a filter. */
	matchedTermsOf?: Filter<FieldSource>['termsIn'] | undefined;
	/** By this name the filter finds the account. */
	filterName?: string | undefined;
};

type AccountLabel = { name: string; colour: string | undefined; mark: string };

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

export type CellScene = Pick<CellContext, 'now' | 'times' | 'waitingFor'> & {
	accounts: readonly OpenedAccount[];
	operationsState: Pick<OperationsState, 'isReadOnly'>;
	screen: Pick<Screen, 'filters'>;
	hasColours: boolean;
};

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

/** Compiled to patterns once for each filter. */
const termsInFor = memoize((filter: string) => filterFrom(filter, computerFilter).termsIn);

/** Where there are no colours, a letter of its own tells an account apart. */
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

/** The letter is one of the name where possible. */
export function distinctLetters(names: readonly string[]): readonly string[] {
	const taken = new Set<string>();
	return names.map(name => {
		const letters = [...`${name}abcdefghijklmnopqrstuvwxyz`.toUpperCase()];
		const letter = letters.find(each => /\p{L}/u.test(each) && !taken.has(each)) ?? '';
		taken.add(letter);
		return letter;
	});
}
