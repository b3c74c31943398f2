import { type Change, mergeChanges } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import {
	type AnswerFactName,
	type Fact,
	type RestoredComputer,
	readOfAnswer,
} from '../fleet/fact.ts';
import { latestChanges, withChanges } from './change-log.ts';
import { foldComputerMissing, foldComputerRead, foldList } from './fold-computers.ts';
import { foldOperation, foldPaneLeft } from './fold-operation.ts';
import { answerTimeFrom, foldReadFailed, isOutdated, withAnswer } from './freshness.ts';
import {
	type AccountAnswerName,
	type AccountState,
	type ComputerState,
	emptyAccount,
	type State,
} from './state.ts';
import { usageWithRecalled } from './usage-history.ts';

/**
 * Returns the state after a fact. The function is pure: unchanged parts stay the same objects, and all times
 * come from the facts.
 */
export function fold(state: State, fact: Fact): State {
	const accounts = new Map(state.accounts);
	if (fact.type === 'accountClosed') return accounts.delete(fact.account) ? { accounts } : state;
	const before = state.accounts.get(fact.account) ?? emptyAccount;
	const after = foldAccount(before, fact);
	return after === before ? state : { accounts: accounts.set(fact.account, after) };
}

function foldAccount(
	account: AccountState,
	fact: Exclude<Fact, { type: 'accountClosed' }>,
): AccountState {
	switch (fact.type) {
		case 'fleetRecalled':
			return foldFleetRecalled(account, fact);
		case 'pastRecalled': {
			const earlier = fact.samples.filter(({ at }) => at <= fact.at);
			return {
				...account,
				changes: latestChanges(mergeChanges(fact.changes, account.changes)),
				samples: mergeSamples(earlier, account.samples),
			};
		}
		case 'usageRecalled':
			return { ...account, usage: usageWithRecalled(account.usage, fact, account.computers) };
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
			return foldAnswer(account, fact);
		case 'operationChanged':
			return foldOperation(account, fact);
		case 'limitsChanged':
			return { ...account, standings: fact.standings };
		case 'signedIn':
			return { ...account, signIn: { isSignedIn: true, at: fact.at, email: fact.email } };
		case 'signInFailed':
			return foldSignInFailed(account, fact);
		case 'watchShared':
			return { ...account, sharedWatch: { leader: fact.leader, followers: fact.followers } };
		case 'shareChosen': {
			const { share, chosenAt } = fact;
			if (account.chosenShare && account.chosenShare.chosenAt >= chosenAt) return account;
			return { ...account, chosenShare: { share, chosenAt } };
		}
		case 'hookFailed': {
			const { at, hook, message } = fact;
			return withChanges(account, [{ type: 'hookFailed', at, notBefore: at, hook, message }]);
		}
		case 'paneLeft':
			return foldPaneLeft(account, fact);
	}
}

function foldSignInFailed(
	account: AccountState,
	{ at, failure }: Extract<Fact, { type: 'signInFailed' }>,
): AccountState {
	const { signIn } = account;
	const wasSignedOut = signIn?.isSignedIn === false && signIn.hasSignedOut;
	const failed: AccountState['signIn'] = { isSignedIn: false, at, failure };
	if (failure.isDeliberate || wasSignedOut) failed.hasSignedOut = true;
	return { ...account, signIn: failed };
}

/** Folds a snapshot, so that the fleet of an earlier run is shown until the first answers come. */
function foldFleetRecalled(
	account: AccountState,
	{ computers: recalled }: Extract<Fact, { type: 'fleetRecalled' }>,
): AccountState {
	const isNew = ({ reading }: RestoredComputer) => !account.computers.has(reading.id);
	const added = recalled.filter(isNew);
	if (account.reads.list?.answer || added.length === 0) return account;
	const computers = new Map(account.computers);
	const computerReads = new Map(account.computerReads);
	const { contact } = account;
	let first = contact?.since ?? Number.POSITIVE_INFINITY;
	let last = contact?.fleetAt ?? Number.NEGATIVE_INFINITY;
	for (const each of added) {
		const { seenAt } = each;
		computers.set(each.reading.id, computerFrom(each));
		computerReads.set(each.reading.id, { restoredFrom: seenAt });
		first = Math.min(first, seenAt);
		last = Math.max(last, seenAt);
	}
	const lastAnswerAt = Math.max(last, contact?.lastAnswerAt ?? last);
	const restored = { since: first, lastAnswerAt, fleetAt: last };
	return { ...account, computers, computerReads, contact: restored };
}

function computerFrom(restored: RestoredComputer): ComputerState {
	const { reading, seenAt, since, stopReason, statusReadFor } = restored;
	return {
		id: reading.id,
		reading,
		phase: phaseOf(reading.status),
		since: since ?? { at: seenAt, isLowerBound: true },
		listed: 'absent',
		isMissing: false,
		stopReason,
		statusReadFor,
	};
}

type AccountFact = Extract<Fact, { type: AnswerFactName<AccountAnswerName> }>;

/** Folds an answer about the account itself. */
function foldAnswer(account: AccountState, fact: AccountFact): AccountState {
	const read = readOfAnswer(fact.type);
	const time = answerTimeFrom(fact);
	const earlier = account.reads[read]?.answer;
	if (isOutdated(time.askedAt, earlier?.askedAt)) return account;
	const answered = withAnswer(account, read, time);
	switch (fact.type) {
		case 'creditsRead':
			return withCredits(answered, fact);
		case 'subscriptionRead':
			return { ...answered, subscription: keepIfEqual(account.subscription, fact.subscription) };
		case 'releaseRead':
			return withRelease(answered, fact, earlier?.askedAt);
		case 'modelsRead':
			return { ...answered, models: keepIfEqual(account.models, fact.models) };
	}
}

function withCredits(
	account: AccountState,
	{ at, credits }: Extract<Fact, { type: 'creditsRead' }>,
): AccountState {
	const next = { ...account, credits: keepIfEqual(account.credits, credits) };
	const { balance } = credits;
	if (balance === null || !Number.isFinite(balance)) return next;
	// Samples with a time in the future were taken while the clock was ahead. They would hide all newer samples until that
	// time comes.
	const earlier = account.samples.filter(sample => sample.at <= at);
	const last = earlier.at(-1);
	const samples = mergeSamples(earlier, [{ at, balance }]);
	// A rise that would be printed as 0.00 is rounding.
	if (!last || balance - last.balance < 0.005) return { ...next, samples };
	const rise: Change = {
		type: 'toppedUp',
		at,
		notBefore: last.at,
		from: last.balance,
		to: balance,
	};
	return withChanges({ ...next, samples }, [rise]);
}

function withRelease(
	account: AccountState,
	{ at, release }: Extract<Fact, { type: 'releaseRead' }>,
	notBefore: number | undefined,
): AccountState {
	const from = account.release?.version;
	const next = { ...account, release: keepIfEqual(account.release, release) };
	if (from === undefined) {
		// The first release that is known is no newer version, so no status has to be read again for it.
		const read = [...account.computers].filter(([, { statusReadFor }]) => statusReadFor === '');
		if (read.length === 0) return next;
		const computers = new Map(account.computers);
		for (const [id, each] of read) computers.set(id, { ...each, statusReadFor: release.version });
		next.computers = computers;
	}
	if (from === undefined || from === release.version || notBefore === undefined) return next;
	const earliest = Math.min(notBefore, at);
	return withChanges(next, [
		{ type: 'released', at, notBefore: earliest, from, to: release.version },
	]);
}

/** Returns the value in the state if the new one is equal, so that nothing is drawn again. */
function keepIfEqual<T>(current: T | undefined, next: T): T {
	return current !== undefined && JSON.stringify(current) === JSON.stringify(next) ? current : next;
}
