import type { Fact } from '../fleet/fact.ts';
import { foldAccountRead } from './fold-account.ts';
import { foldBatch, withBatchStep } from './fold-batches.ts';
import { foldComputerMissing, foldComputerRead } from './fold-computer.ts';
import { foldList } from './fold-list.ts';
import { foldCountdown, foldOperation } from './fold-operations.ts';
import { foldFleetRecalled, foldPastRestored } from './fold-restored.ts';
import { foldReadFailed } from './read-health.ts';
import { type AccountState, emptyAccount, type State } from './state.ts';

/**
 * Returns the state after a fact. The function is pure: unchanged parts stay the same objects, and all times
 * come from the facts.
 */
export function fold(state: State, fact: Fact): State {
	const before = state.accounts.get(fact.account) ?? emptyAccount;
	const after = foldAccount(before, fact);
	if (after === before) return state;
	return { ...state, accounts: new Map(state.accounts).set(fact.account, after) };
}

function foldAccount(account: AccountState, fact: Fact): AccountState {
	switch (fact.type) {
		case 'fleetRecalled':
			return foldFleetRecalled(account, fact);
		case 'pastRecalled':
			return foldPastRestored(account, fact);
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
		case 'batchAsked':
		case 'batchCancelled':
		case 'batchSeen':
			return foldBatch(account, fact);
		case 'countdownHeld':
		case 'countdownRestarted':
		case 'countdownEnded':
			return foldCountdown(account, fact);
		case 'operationAsked':
		case 'operationSent':
		case 'operationAccepted':
		case 'operationSettled':
		case 'operationFailed':
		case 'operationUnknown':
		case 'operationCancelled':
		case 'operationSeen':
			return withBatchStep(account, foldOperation(account, fact), fact);
		case 'paceChanged':
			return { ...account, standings: fact.standings };
		case 'signedIn': {
			const { at, email } = fact;
			return {
				...account,
				signIn: { isSignedIn: true, at, ...(email !== undefined && { email }) },
			};
		}
		case 'signInFailed':
			return { ...account, signIn: { isSignedIn: false, at: fact.at, failure: fact.failure } };
	}
}
