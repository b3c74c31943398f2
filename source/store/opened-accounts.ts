import type { Change } from '../fleet/change.ts';
import type { AccountProfile } from '../fleet/computers/account.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import { latestChanges } from './change-log.ts';
import { createRowsSelector, createRunwaySelector, type FleetRow } from './selectors.ts';
import { type AccountState, emptyAccount, type State } from './state.ts';

export type OpenedAccount = { profile: AccountProfile; state: AccountState };

/** The array stays the same until an account changes. */
export function createOpenedAccountsSelector() {
	const open = memoize((profiles: readonly AccountProfile[], ...states: readonly AccountState[]) =>
		profiles.map((profile, at): OpenedAccount => ({ profile, state: states[at] ?? emptyAccount })),
	);
	return (accounts: State['accounts'], profiles: readonly AccountProfile[]) =>
		open(profiles, ...profiles.map(({ account }) => accounts.get(account) ?? emptyAccount));
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
function selectorPerAccount<Result>(
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

/** The table is shown as fresh as its oldest rows. Accounts that do not answer have a line of their own. */
export function oldestAnswering(accounts: readonly OpenedAccount[]): AccountState {
	const states = accounts.map(({ state }) => state);
	const answering = states.filter(({ reads }) => !reads.list?.failing && !reads.status?.failing);
	const answeredAt = ({ reads }: AccountState) => reads.list?.answer?.at ?? 0;
	const [oldest] = answering.toSorted((a, b) => answeredAt(a) - answeredAt(b));
	return oldest ?? states[0] ?? emptyAccount;
}

export type Happenings = Pick<AccountState, 'operations' | 'endedOperations' | 'changes'>;

/** Of all accounts, oldest first. With several, the names of computers begin with the account, as in `lab/nova`. */
export function happeningsIn(accounts: readonly OpenedAccount[]): Happenings {
	const [first] = accounts;
	if (first && accounts.length === 1) return first.state;
	const operationsIn = (name: 'operations' | 'endedOperations') =>
		new Map(
			accounts
				.flatMap(({ profile, state }) =>
					[...state[name].values()].map((operation): Operation => {
						return { ...operation, spec: specWithAccountName(profile.name, operation.spec) };
					}),
				)
				.sort((a, b) => a.askedAt - b.askedAt)
				.map(operation => [operation.spec.key, operation]),
		);
	const changes = accounts.flatMap(({ profile, state }) =>
		state.changes.map(each => changeWithAccountName(profile.name, each)),
	);
	return {
		operations: operationsIn('operations'),
		endedOperations: operationsIn('endedOperations'),
		changes: latestChanges(changes.sort((a, b) => a.at - b.at)),
	};
}

export const nameWithAccount = (account: string, name: string) => `${account}/${name}`;

export const specWithAccountName = (account: string, spec: OperationSpec): OperationSpec => {
	const name = spec.name ?? spec.computer;
	return name === undefined ? spec : { ...spec, name: nameWithAccount(account, name) };
};

export function changeWithAccountName(account: string, change: Change): Change {
	if (change.type === 'statusChanged')
		return { ...change, name: nameWithAccount(account, change.name ?? change.id) };
	if (change.type === 'operationMoved')
		return { ...change, wish: specWithAccountName(account, change.wish) };
	if (change.type === 'accountNoted') return { ...change, name: account };
	return change;
}

const sumOf = <T>(items: readonly T[], numberOf: (item: T) => number): number =>
	items.reduce((sum, item) => sum + numberOf(item), 0);

/** The time left is that of the account whose credits end first. */
export function createJointRunwaySelector(
	lowCreditsMs: number,
): (accounts: readonly OpenedAccount[]) => Runway | null {
	const runwayOf = selectorPerAccount(() => createRunwaySelector(lowCreditsMs));
	return accounts => {
		const runways = accounts.flatMap(account => runwayOf(account) ?? []);
		const [first] = runways;
		if (!first || accounts.length === 1) return first ?? null;
		const times = runways.flatMap(({ timeLeftMs }) => timeLeftMs ?? []);
		return {
			isEstimate: runways.some(({ isEstimate }) => isEstimate) || undefined,
			isLow: runways.some(({ isLow }) => isLow) || undefined,
			burnPerHour: sumOf(runways, ({ burnPerHour }) => burnPerHour),
			measuredMs: Math.min(...runways.map(({ measuredMs = 0 }) => measuredMs)),
			timeLeftMs: times.length > 0 ? Math.min(...times) : null,
		};
	};
}
