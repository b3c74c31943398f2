import type { Change } from '../fleet/change.ts';
import type { Credits, Model } from '../fleet/computers/account.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import type { RateLimitUsage, ScopeUsage } from '../fleet/fact.ts';
import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import { latestChanges } from './change-log.ts';
import { createSamplesJoiner } from './joint-samples.ts';
import type { OpenedAccount } from './opened-accounts.ts';
import { createRunwaySelector } from './selectors.ts';
import { type AccountState, emptyAccount, type JointAccount } from './state.ts';

/**
 * Creates a selector for what the accounts have together. A single account is returned as it is. With several, the
 * names of computers are preceded by the account, as in `lab/nova`.
 */
export function createJointAccountSelector(): (accounts: readonly OpenedAccount[]) => JointAccount {
	const changesOf = createChangesJoiner();
	const operationsOf = createOperationsJoiner(({ operations }) => operations);
	const endedOperationsOf = createOperationsJoiner(({ endedOperations }) => endedOperations);
	const samplesOf = createSamplesJoiner();
	const join = memoize((accounts: readonly OpenedAccount[]): JointAccount => {
		const states = accounts.map(({ state }) => state);
		const { reads, contact } = representativeOf(states);
		const release = states.find(state => state.release)?.release;
		const models = jointModels(states);
		const credits = jointCredits(states);
		const standings = jointUsage(states);
		const subscription = jointSubscription(states);
		return {
			reads,
			...(contact && { contact }),
			...(release && { release }),
			...(models && { models }),
			...(credits && { credits }),
			...(standings && { standings }),
			...(subscription && { subscription }),
			samples: samplesOf(...states.map(({ samples }) => samples)),
			unreadableCount: sumOf(states, ({ unreadableCount }) => unreadableCount),
			repeatedCount: sumOf(states, ({ repeatedCount }) => repeatedCount),
			operations: operationsOf(accounts),
			endedOperations: endedOperationsOf(accounts),
			changes: changesOf(accounts),
			changeCount: sumOf(states, ({ changeCount }) => changeCount),
		};
	});
	return accounts => (accounts.length > 1 ? join(accounts) : (accounts[0]?.state ?? emptyAccount));
}

const sumOf = <T>(items: readonly T[], numberOf: (item: T) => number): number =>
	items.reduce((sum, item) => sum + numberOf(item), 0);

/** Returns the name of a computer with its account, as commands accept it. */
export const nameWithAccount = (account: string, name: string) => `${account}/${name}`;

/**
 * Returns the account with the oldest data among those that answer. The table is shown as fresh as its oldest rows.
 * Accounts that do not answer have a line of their own, so they do not count here.
 */
function representativeOf(states: readonly AccountState[]): AccountState {
	const answering = states.filter(({ reads }) => !reads.list?.failing && !reads.status?.failing);
	const answeredAt = ({ reads }: AccountState) => reads.list?.answer?.at ?? 0;
	const [oldest] = answering.toSorted((a, b) => answeredAt(a) - answeredAt(b));
	return oldest ?? states[0] ?? emptyAccount;
}

function jointCredits(states: readonly AccountState[]): Credits | undefined {
	const all = states.flatMap(({ credits }) => credits ?? []);
	const balances = all.flatMap(({ balance }) => balance ?? []);
	if (balances.length === 0) return undefined;
	return {
		balance: sumOf(balances, balance => balance),
		...(all.some(({ canRun }) => canRun === false) && { canRun: false }),
	};
}

/** Returns the subscription of the first account if all accounts have the same plan. */
function jointSubscription(states: readonly AccountState[]) {
	const [first, ...others] = states.map(({ subscription }) => subscription);
	return first && others.every(other => other?.plan === first.plan) ? first : undefined;
}

function jointModels(states: readonly AccountState[]): readonly Model[] | undefined {
	const all = states.flatMap(({ models }) => (models ? [models] : []));
	if (all.length === 0) return undefined;
	return [...new Map(all.flat().map(model => [model.id, model])).values()];
}

function jointUsage(states: readonly AccountState[]): RateLimitUsage | undefined {
	const all = states.flatMap(({ standings }) => standings ?? []);
	const usageOf = (scope: keyof RateLimitUsage): ScopeUsage => {
		const usages = all.map(standings => standings[scope]);
		const frozen = usages.flatMap(({ frozenUntil }) => frozenUntil ?? []);
		const isFrozen = frozen.length === usages.length;
		return {
			limit: sumOf(usages, ({ limit }) => limit),
			spent: sumOf(usages, ({ spent }) => spent),
			...(isFrozen && { frozenUntil: Math.min(...frozen) }),
			...(usages.some(({ isAlone }) => isAlone) && { isAlone: true }),
		};
	};
	if (all.length === 0) return undefined;
	return { create: usageOf('create'), status: usageOf('status'), other: usageOf('other') };
}

/** Returns an operation that names its account. */
export const specWithAccountName = (account: string, spec: OperationSpec): OperationSpec => {
	const name = spec.name ?? spec.computer;
	return name === undefined ? spec : { ...spec, name: nameWithAccount(account, name) };
};

/** Creates a function that joins operations of all accounts, oldest first. */
function createOperationsJoiner(pick: (state: AccountState) => AccountState['operations']) {
	const join = memoize(
		(
			names: string,
			...all: readonly AccountState['operations'][]
		): ReadonlyMap<string, Operation> => {
			const accounts = names.split('\n');
			const joint = all.flatMap((operations, at) =>
				[...operations.values()].map(operation => {
					return { ...operation, spec: specWithAccountName(accounts[at] ?? '', operation.spec) };
				}),
			);
			joint.sort((a, b) => a.askedAt - b.askedAt);
			return new Map(joint.map(operation => [operation.spec.key, operation]));
		},
	);
	return (accounts: readonly OpenedAccount[]) =>
		join(
			accounts.map(({ profile }) => profile.name).join('\n'),
			...accounts.map(({ state }) => pick(state)),
		);
}

/** Creates a function that joins the changes of all accounts, oldest first. */
function createChangesJoiner() {
	const named = new WeakMap<Change, Change>();

	function changeOf(account: string, change: Change): Change {
		const earlier = named.get(change);
		if (earlier) return earlier;
		const next = changeWithAccountName(account, change);
		named.set(change, next);
		return next;
	}

	const join = memoize((names: string, ...all: readonly (readonly Change[])[]) => {
		const accounts = names.split('\n');
		const changes = all.flatMap((each, at) =>
			each.map(change => changeOf(accounts[at] ?? '', change)),
		);
		return latestChanges(changes.sort((a, b) => a.at - b.at));
	});
	return (accounts: readonly OpenedAccount[]) =>
		join(
			accounts.map(({ profile }) => profile.name).join('\n'),
			...accounts.map(({ state }) => state.changes),
		);
}

/** Returns a change that names its account. */
export function changeWithAccountName(account: string, change: Change): Change {
	if (change.type === 'statusChanged')
		return { ...change, name: nameWithAccount(account, change.name ?? change.id) };
	if (change.type === 'operationMoved')
		return { ...change, wish: specWithAccountName(account, change.wish) };
	return change;
}

/**
 * Creates a selector for the burn rate of all accounts together. The time left is that of the account whose credits
 * end first.
 */
export function createJointRunwaySelector(
	lowCreditsMs: number,
): (accounts: readonly OpenedAccount[]) => Runway | null {
	const selectors = new Map<string, ReturnType<typeof createRunwaySelector>>();

	function runwayOf({ profile: { account }, state }: OpenedAccount): Runway | null {
		const select = selectors.get(account) ?? createRunwaySelector(lowCreditsMs);
		selectors.set(account, select);
		return select(state);
	}

	const join = memoize((...all: readonly (Runway | null)[]): Runway | null => {
		const runways = all.flatMap(runway => runway ?? []);
		const [first] = runways;
		if (!first || all.length === 1) return first ?? null;
		const times = runways.flatMap(({ timeLeftMs }) => timeLeftMs ?? []);
		return {
			...(runways.some(({ isEstimate }) => isEstimate) && { isEstimate: true }),
			...(runways.some(({ isLow }) => isLow) && { isLow: true }),
			burnPerHour: sumOf(runways, ({ burnPerHour }) => burnPerHour),
			measuredMs: Math.min(...runways.map(({ measuredMs = 0 }) => measuredMs)),
			timeLeftMs: times.length > 0 ? Math.min(...times) : null,
		};
	});
	return accounts => join(...accounts.map(runwayOf));
}
