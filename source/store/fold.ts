import { mergeChanges } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import type { Fact, RestoredComputer } from '../fleet/fact.ts';
import { latestChanges, withChanges } from './change-log.ts';
import { foldAccountRead } from './fold-account.ts';
import { foldComputerMissing, foldComputerRead } from './fold-computer.ts';
import { foldList } from './fold-list.ts';
import { foldOperation, foldPaneLeft } from './fold-operation.ts';
import { foldReadFailed } from './read-health.ts';
import { usageWithRecalled } from './recalled-usage.ts';
import { type AccountState, type ComputerState, emptyAccount, type State } from './state.ts';

/**
 * Returns the state after a fact. The function is pure: unchanged parts stay the same objects, and all times
 * come from the facts.
 */
export function fold(state: State, fact: Fact): State {
	if (fact.type === 'accountClosed') return withoutAccount(state, fact.account);
	const before = state.accounts.get(fact.account) ?? emptyAccount;
	const after = foldAccount(before, fact);
	if (after === before) return state;
	return { ...state, accounts: new Map(state.accounts).set(fact.account, after) };
}

function withoutAccount(state: State, account: string): State {
	if (!state.accounts.has(account)) return state;
	const accounts = new Map(state.accounts);
	accounts.delete(account);
	return { ...state, accounts };
}

/** Returns the account after a fact. */
function foldAccount(
	account: AccountState,
	fact: Exclude<Fact, { type: 'accountClosed' }>,
): AccountState {
	switch (fact.type) {
		case 'fleetRecalled':
			return foldFleetRecalled(account, fact);
		case 'pastRecalled':
			return foldPastRestored(account, fact);
		case 'usageRecalled': {
			const usage = usageWithRecalled(account.usage, fact, id => account.computers.has(id));
			return usage === account.usage ? account : { ...account, usage };
		}
		case 'historyRecalled':
			return { ...account, history: { id: fact.id, changes: fact.changes } };
		case 'listRead':
			return foldList(account, fact);
		case 'detailRead':
		case 'statusRead':
			return foldComputerRead(account, fact);
		case 'computerMissed':
			return foldComputerMissing(account, fact);
		case 'readFailed':
			return foldReadFailed(account, fact);
		case 'creditsRead':
		case 'subscriptionRead':
		case 'releaseRead':
		case 'modelsRead':
			return foldAccountRead(account, fact);
		case 'operationChanged':
			return foldOperation(account, fact);
		case 'limitsChanged':
			return { ...account, standings: fact.standings };
		case 'signedIn': {
			const { at, email } = fact;
			return {
				...account,
				signIn: { isSignedIn: true, at, ...(email !== undefined && { email }) },
			};
		}
		case 'signInFailed':
			return { ...account, signIn: signInAfterFailure(account, fact) };
		case 'watchShared': {
			const { leader, followers } = fact;
			return {
				...account,
				sharedWatch: {
					...(leader !== undefined && { leader }),
					...(followers !== undefined && { followers }),
				},
			};
		}
		case 'shareChosen': {
			const { share, chosenAt } = fact;
			const isOutdated = (account.chosenShare?.chosenAt ?? Number.NEGATIVE_INFINITY) >= chosenAt;
			return isOutdated ? account : { ...account, chosenShare: { share, chosenAt } };
		}
		case 'hookFailed': {
			const { at, hook, message } = fact;
			return withChanges(account, [{ type: 'hookFailed', at, notBefore: at, hook, message }]);
		}
		case 'paneLeft':
			return foldPaneLeft(account, fact);
	}
}

function signInAfterFailure(
	{ signIn: before }: AccountState,
	{ at, failure }: Extract<Fact, { type: 'signInFailed' }>,
): NonNullable<AccountState['signIn']> {
	const wasSignedOut = before?.isSignedIn === false && before.hasSignedOut;
	const hasSignedOut = failure.isDeliberate || wasSignedOut;
	return { isSignedIn: false, at, failure, ...(hasSignedOut && { hasSignedOut }) };
}

/** Folds a snapshot, so that the fleet of an earlier run is shown until the first answers come. */
export function foldFleetRecalled(
	account: AccountState,
	{ computers: recalled }: Extract<Fact, { type: 'fleetRecalled' }>,
): AccountState {
	if (account.reads.list?.answer) return account;
	const computers = new Map(account.computers);
	const computerReads = new Map(account.computerReads);
	const { contact } = account;
	let first = contact?.since ?? Infinity;
	let last = contact?.fleetAt ?? -Infinity;
	// Most computers were read with the same list, so they share this object.
	let reads = { restoredFrom: last };
	for (const each of recalled) {
		const { reading, seenAt } = each;
		if (computers.has(reading.id)) continue;
		computers.set(reading.id, computerFrom(each));
		if (reads.restoredFrom !== seenAt) reads = { restoredFrom: seenAt };
		computerReads.set(reading.id, reads);
		first = Math.min(first, seenAt);
		last = Math.max(last, seenAt);
	}
	if (computers.size === account.computers.size) return account;
	const lastAnswerAt = Math.max(last, contact?.lastAnswerAt ?? -Infinity);
	return {
		...account,
		computers,
		computerReads,
		contact: { since: first, lastAnswerAt, fleetAt: last },
	};
}

function computerFrom(restored: RestoredComputer): ComputerState {
	const { reading, seenAt, since, stopReason, statusReadFor } = restored;
	const computer: ComputerState = {
		id: reading.id,
		reading,
		phase: phaseOf(reading.status),
		since: since ?? { at: seenAt, isLowerBound: true },
		listed: 'absent',
		isMissing: false,
	};
	if (stopReason) computer.stopReason = stopReason;
	if (statusReadFor !== undefined) computer.statusReadFor = statusReadFor;
	return computer;
}

/**
 * Folds the changes and credit samples of earlier runs. They are placed before those of this run, without
 * duplicates.
 */
export function foldPastRestored(
	account: AccountState,
	{ at, changes, samples }: Extract<Fact, { type: 'pastRecalled' }>,
): AccountState {
	return {
		...account,
		changes: latestChanges(mergeChanges(changes, account.changes)),
		samples: mergeSamples(
			samples.filter(sample => sample.at <= at),
			account.samples,
		),
	};
}
