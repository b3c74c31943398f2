import { intervalEndOf, type LedgerState, type ScopeState } from './ledger-state.ts';
import { scopes } from './limits.ts';

/** Whether nothing in the ledger counts against a limit any more. */
export const isEmptyState = (ledger: LedgerState) =>
	scopes.every(scope => {
		const { spends, freeze, fullSince } = ledger[scope];
		return spends.size === 0 && !freeze && fullSince === undefined;
	});

/** Returns this host's state with the requests of another host added. */
export function combinedState(
	ownState: LedgerState,
	otherState: LedgerState,
	otherLedgerName: string,
): LedgerState {
	if (isEmptyState(otherState)) return ownState;
	const combined = (scope: keyof LedgerState) =>
		combinedScopeState(ownState[scope], otherState[scope], otherLedgerName);
	return { create: combined('create'), status: combined('status'), other: combined('other') };
}

function combinedScopeState(
	ownState: ScopeState,
	otherState: ScopeState,
	otherLedgerName: string,
): ScopeState {
	const spends = new Map(ownState.spends);
	// Request numbers of another host have no meaning here. Number 0 sorts them before all numbers of this host.
	for (const spend of otherState.spends.values()) {
		spends.set(`${otherLedgerName}:${spend.id}`, { ...spend, number: 0 });
	}
	const freezes = [ownState.freeze, otherState.freeze].filter(freeze => freeze !== undefined);
	const freeze = freezes.toSorted((a, b) => intervalEndOf(b) - intervalEndOf(a))[0];
	const fullTimes = [ownState.fullSince, otherState.fullSince].filter(since => since !== undefined);
	return {
		...ownState,
		spends,
		...(freeze && { freeze }),
		...(fullTimes.length > 0 && { fullSince: Math.max(...fullTimes) }),
	};
}
