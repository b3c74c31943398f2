import { createStore as createZustandStore } from 'zustand/vanilla';
import { type Change, mergeChanges } from '../fleet/change.ts';
import type { Credits, Release } from '../fleet/computers/account.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import type { Fact, FactOf, RestoredComputer } from '../fleet/fact.ts';
import { latestChanges, withChanges } from './change-log.ts';
import { foldComputerMissing, foldComputerRead, foldList } from './fold-computers.ts';
import { foldOperation, foldPaneLeft } from './fold-operation.ts';
import { answerTimeFrom, foldReadFailed, isOutdated, withAnswer } from './freshness.ts';
import { foldProposal } from './proposals.ts';
import {
	type AccountState,
	type ComputerState,
	emptyAccount,
	emptyState,
	type State,
} from './state.ts';
import { usageWithRecalled } from './usage-history.ts';

export type FactListener = (fact: Fact, before: State, after: State) => void;

export type Store = ReturnType<typeof createStore>;

export function createStore() {
	const { getState, setState, subscribe } = createZustandStore<State>(() => emptyState);
	const listeners = new Set<FactListener>();
	const queue: Fact[] = [];
	let isReceiving = false;

	return {
		getState,
		subscribe,
		/** What a listener receives meanwhile is queued behind. */
		receive(facts: readonly Fact[]) {
			queue.push(...facts);
			if (isReceiving) return;
			isReceiving = true;
			let state = getState();
			try {
				for (let fact = queue.shift(); fact; fact = queue.shift()) {
					const before = state;
					state = fold(before, fact);
					for (const listener of listeners) listener(fact, before, state);
				}
			} finally {
				isReceiving = false;
			}
			setState(state, true);
		},
		/** No fact listener is called. */
		restore: (state: State) => setState(state, true),
		onFact(listener: FactListener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

export function fold(state: State, fact: Fact): State {
	const before = state.accounts.get(fact.account) ?? emptyAccount;
	const after = foldAccount(before, fact);
	if (after === before) return state;
	return { accounts: new Map(state.accounts).set(fact.account, after) };
}

function foldAccount(account: AccountState, fact: Fact): AccountState {
	switch (fact.type) {
		case 'recalled':
			return foldRecalled(account, fact);
		case 'listRead':
			return foldList(account, fact);
		case 'computerRead':
			return fact.isMissing ? foldComputerMissing(account, fact) : foldComputerRead(account, fact);
		case 'readFailed':
			return foldReadFailed(account, fact);
		case 'answered':
			return foldAnswer(account, fact);
		case 'operationChanged':
			return foldOperation(account, fact);
		case 'limitsChanged':
			return { ...account, standings: fact.standings };
		case 'signInTried':
			return { ...account, signIn: signInAfter(account, fact) };
		case 'watchShared':
			return { ...account, sharedWatch: { leader: fact.leader, followers: fact.followers } };
		case 'shareChosen': {
			const { share, chosenAt } = fact;
			if (account.chosenShare && account.chosenShare.chosenAt >= chosenAt) return account;
			return { ...account, chosenShare: { share, chosenAt } };
		}
		case 'proposed':
			return { ...account, proposals: foldProposal(account.proposals, fact) };
		case 'changeNoted':
			return withChanges(account, [fact.change]);
		case 'paneLeft':
			return foldPaneLeft(account, fact);
	}
}

function signInAfter(
	{ signIn: before }: AccountState,
	{ at, email, failure }: FactOf<'signInTried'>,
): AccountState['signIn'] {
	if (!failure) return { isSignedIn: true, at, email };
	const hasSignedOut = failure.isDeliberate || before?.hasSignedOut;
	return { isSignedIn: false, at, hasSignedOut };
}

function foldRecalled(before: AccountState, fact: FactOf<'recalled'>): AccountState {
	const account = fact.computers
		? withRecalledFleet(before, fact.computers, fact.listedAt)
		: before;
	const next = { ...account };
	if (fact.changes) next.changes = latestChanges(mergeChanges(fact.changes, account.changes));
	if (fact.samples) {
		const earlier = fact.samples.filter(({ at }) => at <= fact.at);
		next.samples = mergeSamples(earlier, account.samples);
	}
	if (fact.usage) next.usage = usageWithRecalled(account.usage, fact.usage, account.computers);
	if (fact.history) next.history = fact.history;
	return next;
}

function withRecalledFleet(
	account: AccountState,
	recalled: readonly RestoredComputer[],
	listedAt: number | undefined,
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
		const statusAnswer = { askedAt: seenAt, at: seenAt };
		computerReads.set(each.reading.id, { statusAnswer, restoredFrom: seenAt });
		first = Math.min(first, seenAt);
		last = Math.max(last, seenAt);
	}
	const lastAnswerAt = Math.max(last, contact?.lastAnswerAt ?? last);
	const restored = { since: first, lastAnswerAt, fleetAt: listedAt ?? last };
	return { ...account, computers, computerReads, contact: restored };
}

function computerFrom(restored: RestoredComputer): ComputerState {
	const { reading, seenAt, since, stopReason, statusReadFor } = restored;
	return {
		id: reading.id,
		reading,
		phase: phaseOf(reading.status),
		since: since ?? { at: seenAt, isLowerBound: true },
		isListed: false,
		isMissing: false,
		stopReason,
		statusReadFor,
	};
}

function foldAnswer(account: AccountState, fact: FactOf<'answered'>): AccountState {
	const { read } = fact;
	const time = answerTimeFrom(fact);
	const earlier = account.reads[read]?.answer;
	if (isOutdated(time.askedAt, earlier?.askedAt)) return account;
	const answered = {
		...withAnswer(account, read, time),
		[read]: keepIfEqual(account[read], fact.answer),
	};
	if (read === 'credits') return withSample(answered, fact.answer, time.at);
	if (read === 'release') return withRelease(account.release, answered, time.at, earlier?.askedAt);
	return answered;
}

function withSample(account: AccountState, { balance }: Credits, at: number): AccountState {
	if (balance === null || !Number.isFinite(balance)) return account;
	// One that was taken while the clock was ahead would hide all newer ones.
	const earlier = account.samples.filter(sample => sample.at <= at);
	const last = earlier.at(-1);
	const samples = mergeSamples(earlier, [{ at, balance }]);
	// A rise that would be printed as 0.00 is rounding.
	if (!last || balance - last.balance < 0.005) return { ...account, samples };
	const rise: Change = {
		type: 'toppedUp',
		at,
		notBefore: last.at,
		from: last.balance,
		to: balance,
	};
	return withChanges({ ...account, samples }, [rise]);
}

/** The first known release is no news, and no status has to be read again for it. */
function withRelease(
	before: Release | undefined,
	account: AccountState,
	at: number,
	notBefore: number | undefined,
): AccountState {
	const to = account.release?.version ?? '';
	if (before) {
		if (before.version === to || notBefore === undefined) return account;
		const earliest = Math.min(notBefore, at);
		const change: Change = {
			type: 'released',
			at,
			notBefore: earliest,
			from: before.version,
			to,
		};
		return withChanges(account, [change]);
	}
	const computers = new Map(account.computers);
	for (const [id, each] of account.computers)
		if (each.statusReadFor === '') computers.set(id, { ...each, statusReadFor: to });
	return { ...account, computers };
}

function keepIfEqual<T>(current: T | undefined, next: T): T {
	return current !== undefined && JSON.stringify(current) === JSON.stringify(next) ? current : next;
}
