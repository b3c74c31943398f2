import type { Change } from '../fleet/change.ts';
import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { CreditSample, Runway } from '../fleet/computers/runway.ts';
import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import { latestChanges } from './change-log.ts';
import { createRowsSelector, createRunwaySelector, type FleetRow } from './selectors.ts';
import { type AccountState, emptyAccount, type JointAccount, type State } from './state.ts';

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

/** With several accounts, the names of computers are preceded by the account, as in `lab/nova`. */
export function createJointAccountSelector(): (accounts: readonly OpenedAccount[]) => JointAccount {
	const join = memoize((accounts: readonly OpenedAccount[]): JointAccount => {
		const states = accounts.map(({ state }) => state);
		const { reads, contact, standings } = representativeOf(states);
		const models = states.flatMap(each => each.models ?? []);
		return {
			reads,
			contact,
			standings,
			release: states.find(state => state.release)?.release,
			models: states.some(each => each.models)
				? [...new Map(models.map(model => [model.id, model])).values()]
				: undefined,
			credits: jointCredits(states),
			subscription: jointSubscription(states),
			samples: jointSamples(states),
			unreadableCount: sumOf(states, ({ unreadableCount }) => unreadableCount),
			repeatedCount: sumOf(states, ({ repeatedCount }) => repeatedCount),
			isListCut: states.some(({ isListCut }) => isListCut),
			operations: jointOperations(accounts, ({ operations }) => operations),
			endedOperations: jointOperations(accounts, ({ endedOperations }) => endedOperations),
			changes: jointChanges(accounts),
			changeCount: sumOf(states, ({ changeCount }) => changeCount),
		};
	});
	return accounts => (accounts.length > 1 ? join(accounts) : (accounts[0]?.state ?? emptyAccount));
}

const sumOf = <T>(items: readonly T[], numberOf: (item: T) => number): number =>
	items.reduce((sum, item) => sum + numberOf(item), 0);

/** The table is shown as fresh as its oldest rows. Accounts that do not answer have a line of their own. */
function representativeOf(states: readonly AccountState[]): AccountState {
	const answering = states.filter(({ reads }) => !reads.list?.failing && !reads.status?.failing);
	const answeredAt = ({ reads }: AccountState) => reads.list?.answer?.at ?? 0;
	const [oldest] = answering.toSorted((a, b) => answeredAt(a) - answeredAt(b));
	return oldest ?? states[0] ?? emptyAccount;
}

function jointCredits(states: readonly AccountState[]): AccountState['credits'] {
	const balances = states.flatMap(({ credits }) => credits?.balance ?? []);
	if (balances.length === 0) return undefined;
	const canRun = states.some(({ credits }) => credits?.canRun === false) ? false : undefined;
	return { balance: sumOf(balances, balance => balance), canRun };
}

/** Only if all accounts have the same plan. */
function jointSubscription(states: readonly AccountState[]) {
	const [first, ...others] = states.map(({ subscription }) => subscription);
	return first && others.every(other => other?.plan === first.plan) ? first : undefined;
}

/** Begins once a balance of every account is known; accounts without any balance are left out. */
function jointSamples(states: readonly AccountState[]): readonly CreditSample[] {
	const all = states.map(({ samples }) => samples).filter(samples => samples.length > 0);
	const begin = Math.max(...all.map(([first]) => first?.at ?? 0));
	const balances = all.map(() => 0);
	const sums = new Map<number, number>();
	const inOrder = all.flatMap((samples, place) => samples.map(each => ({ ...each, place })));
	for (const { at, balance, place } of inOrder.sort((a, b) => a.at - b.at)) {
		balances[place] = balance;
		if (at >= begin)
			sums.set(
				at,
				sumOf(balances, each => each),
			);
	}
	return Array.from(sums, ([at, balance]) => ({ at, balance }));
}

export const nameWithAccount = (account: string, name: string) => `${account}/${name}`;

export const specWithAccountName = (account: string, spec: OperationSpec): OperationSpec => {
	const name = spec.name ?? spec.computer;
	return name === undefined ? spec : { ...spec, name: nameWithAccount(account, name) };
};

function jointOperations(
	accounts: readonly OpenedAccount[],
	operationsOf: (state: AccountState) => AccountState['operations'],
): AccountState['operations'] {
	const joint = accounts.flatMap(({ profile, state }) =>
		[...operationsOf(state).values()].map((operation): Operation => {
			return { ...operation, spec: specWithAccountName(profile.name, operation.spec) };
		}),
	);
	joint.sort((a, b) => a.askedAt - b.askedAt);
	return new Map(joint.map(operation => [operation.spec.key, operation]));
}

function jointChanges(accounts: readonly OpenedAccount[]): readonly Change[] {
	const changes = accounts.flatMap(({ profile, state }) =>
		state.changes.map(each => changeWithAccountName(profile.name, each)),
	);
	return latestChanges(changes.sort((a, b) => a.at - b.at));
}

export function changeWithAccountName(account: string, change: Change): Change {
	if (change.type === 'statusChanged')
		return { ...change, name: nameWithAccount(account, change.name ?? change.id) };
	if (change.type === 'operationMoved')
		return { ...change, wish: specWithAccountName(account, change.wish) };
	if (change.type === 'accountNoted') return { ...change, name: account };
	return change;
}

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
