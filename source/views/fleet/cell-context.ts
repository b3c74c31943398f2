import { readOnlyMark } from '../../fleet/computers/account-profile.ts';
import { type ReadingField, uniqueNamesOf } from '../../fleet/computers/computer.ts';
import { computerFilter, type FieldSource } from '../../fleet/computers/field.ts';
import { type Filter, filterFrom } from '../../fleet/filters/filter.ts';
import type { Span } from '../../lines/span.ts';
import { accountTone } from '../../lines/theme.ts';
import type { TimeFormatter } from '../../lines/time-text.ts';
import type { WaitReasonOf } from '../../operations/why-not.ts';
import {
	type Age,
	ageShownAfterMs,
	createRowAge,
	laggingStatusAge,
	statusAnswerOf,
} from '../../store/freshness.ts';
import {
	type AccountNameOf,
	accountNamesOf,
	type OpenedAccount,
} from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { type AccountState, emptyAccount } from '../../store/state.ts';

type Present = {
	now: number;
	times: TimeFormatter;
	waitingFor: WaitReasonOf;
	/** Only where a person can start operations do hints name their keys. */
	canChange: boolean;
};

export type CellContext = Present & {
	account: AccountState;
	lastReadAtOf: (row: FleetRow) => number | undefined;
	ageOf: (row: FleetRow) => Age;
	/** Undefined unless the last list is much newer than the status. */
	statusAgeOf: (row: FleetRow) => number | undefined;
	/** A value that only a read of its own tells may be much older than the status of the row. */
	isOlderThanRow: (row: FleetRow, field: ReadingField) => boolean;
	/** Whether another computer of the account has the same name. */
	sharesName: (row: FleetRow) => boolean;
	accountLabel?: readonly Span[];
	matchedTermsOf?: Filter<FieldSource>['termsIn'] | undefined;
	nameOf?: AccountNameOf;
};

export function cellContextOf(account: AccountState, present: Present): CellContext {
	const { now } = present;
	const answerOf = ({ computer }: FleetRow) => statusAnswerOf(account, computer);
	const ageOf = createRowAge(account, now);
	let uniqueNames: ReadonlySet<string> | undefined;
	return {
		...present,
		account,
		lastReadAtOf: row => answerOf(row)?.at,
		ageOf: ({ computer }) => ageOf(computer),
		statusAgeOf: row => laggingStatusAge(account, answerOf(row), now),
		isOlderThanRow(row, field) {
			const { detail, restoredFrom } = account.computerReads.get(row.computer.id) ?? {};
			const readAt = detail?.at ?? restoredFrom;
			const statusAt = answerOf(row)?.at;
			if (account.listFields.has(field) || readAt === undefined || statusAt === undefined)
				return false;
			return statusAt - readAt > ageShownAfterMs;
		},
		sharesName({ computer: { reading } }) {
			uniqueNames ??= uniqueNamesOf(account.computers);
			return Boolean(reading.name) && !uniqueNames.has(reading.name ?? '');
		},
	};
}

type CellScene = Present & {
	accounts: readonly OpenedAccount[];
	screen: { filters: { fleet: string } };
	hasColours: boolean;
};

export function cellContextsOf(scene: CellScene): (row: FleetRow) => CellContext {
	const { accounts, hasColours, now, times, waitingFor } = scene;
	const profiles = accounts.map(({ profile }) => profile);
	// Where there are no colours, a letter of its own tells an account apart.
	const letters = distinctLetters(profiles.map(({ shortName }) => shortName));
	const filter = scene.screen.filters.fleet;
	const matchedTermsOf = filter === '' ? undefined : filterFrom(filter, computerFilter).termsIn;
	const nameOf = accountNamesOf(profiles);
	const contexts = new Map(
		accounts.map(({ profile, state }, at): [string, CellContext] => {
			const { account, shortName, colour } = profile;
			const canChange = scene.canChange && !profile.isReadOnly;
			const context = cellContextOf(state, { now, times, waitingFor, canChange });
			const accountLabel: readonly Span[] = [
				[hasColours ? shortName : `${letters[at]} ${shortName}`, accountTone(colour)],
				[readOnlyMark(profile, profiles), 'faint'],
			];
			return [account, { ...context, matchedTermsOf, nameOf, accountLabel }];
		}),
	);
	const none = cellContextOf(emptyAccount, { now, times, waitingFor, canChange: false });
	return row => contexts.get(row.account) ?? none;
}

/** With the name by which the filter finds its account. */
export function fieldSourceOf(row: FleetRow, nameOf?: AccountNameOf): FieldSource {
	const accountName = nameOf?.(row);
	return accountName === undefined ? row.computer : { ...row.computer, accountName };
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
