import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import { memoize } from '../foundation/memoize.ts';
import { createRowsSelector, type FleetRow } from './selectors.ts';
import { type AccountState, emptyAccount, type State } from './state.ts';

export type OpenedAccount = { profile: AccountProfile; state: AccountState };

/** The array stays the same until an account changes. */
export function createOpenedAccountsSelector() {
	let last: readonly OpenedAccount[] = [];

	return (
		accounts: State['accounts'],
		profiles: readonly AccountProfile[],
	): readonly OpenedAccount[] => {
		const stateOf = ({ account }: AccountProfile) => accounts.get(account) ?? emptyAccount;
		const isSame =
			last.length === profiles.length &&
			last.every(
				({ profile, state }, at) => profile === profiles[at] && state === stateOf(profile),
			);
		if (!isSame) last = profiles.map(profile => ({ profile, state: stateOf(profile) }));
		return last;
	};
}

export function accountOfRow(
	accounts: readonly OpenedAccount[],
	row: Pick<FleetRow, 'account'> | undefined,
): OpenedAccount | undefined {
	return row && accounts.find(({ profile }) => profile.account === row.account);
}

export type AccountNameOf = (row: FleetRow) => string | undefined;

/** The filter finds the short name, which the table shows, and the whole one. */
export function accountNamesOf(profiles: readonly AccountProfile[]): AccountNameOf {
	const names = new Map(
		profiles.map(({ account, name, shortName }) => [
			account,
			name.includes(shortName) ? name : `${name} ${shortName}`,
		]),
	);
	return profiles.length > 1 ? row => names.get(row.account) : () => undefined;
}

/** A selector remembers only its last result, so each account has its own. */
export function selectorPerAccount<Result>(
	createSelector: (account: string) => (state: AccountState) => Result,
): (opened: OpenedAccount) => Result {
	const selectors = new Map<string, (state: AccountState) => Result>();
	return ({ profile: { account }, state }) => {
		const select = selectors.get(account) ?? createSelector(account);
		selectors.set(account, select);
		return select(state);
	};
}

export function createJointRowsSelector(): (
	accounts: readonly OpenedAccount[],
) => readonly FleetRow[] {
	const rowsOf = selectorPerAccount(createRowsSelector);
	const join = memoize(
		(first: readonly FleetRow[] = [], ...others: readonly (readonly FleetRow[])[]) =>
			others.length === 0 ? first : first.concat(...others),
	);
	return accounts => join(...accounts.map(rowsOf));
}
