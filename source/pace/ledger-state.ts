import { type Scope, scopes } from './limits.ts';

// The state of a ledger and the entries that change it. Every process of the host applies the same
// entries in the same order, so all of them compute the same state. Times are milliseconds since the host
// started. The fields of these types are also the JSON keys of the ledger's files: do not rename them.

/** Begins at `at` and lasts for `hold`. */
export type Interval = { at: number; hold: number };

/** One spent slot. It is free again when its interval ends. */
export type Spend = Interval & { id: string; number: number };

/** What the latest response said about the budget. Its interval ends when the platform's window resets. */
export type ServerReport = Interval & {
	/** The number of the request that this responded to. */
	number: number;
	limit?: number;
	/** The age of `limit` at `at`, if it comes from an earlier response. */
	limitAge?: number;
	remaining?: number;
	/** How many of the requests that the platform counted were not ours. */
	foreign: number;
};

/** The platform refused a request, so nothing is sent until the interval ends. */
export type Freeze = Interval & {
	/** The last request that was sent before the freeze. */
	number: number;
	/** How many times in a row the platform has refused. */
	times: number;
};

export type ScopeState = {
	/** How many slots were ever taken; also the number of the last one. */
	taken: number;
	/** The slots that are still spent, by id. */
	spends: Map<string, Spend>;
	heard?: ServerReport;
	freeze?: Freeze;
	/** The ledger was unreadable at this time, so the whole limit counts as spent from then on. */
	fullSince?: number;
};

export type LedgerState = Readonly<Record<Scope, ScopeState>>;

export type LedgerEntry =
	/** Takes a slot. It counts only if no other process took the same number before. */
	| ({ kind: 'take'; scope: Scope } & Spend)
	/** A request ended, so its slot now has a known end. */
	| ({ kind: 'done'; scope: Scope; heard?: ServerReport; freeze?: Freeze } & Spend)
	/** An entry of another version. It counts as one request. */
	| ({ kind: 'unknown'; scope: Scope } & Spend)
	/** The state of a scope at the beginning of a new file. */
	| ({ kind: 'carried'; scope: Scope; spends: readonly Spend[] } & Omit<ScopeState, 'spends'>)
	/** The last entry of a file. The ledger continues in the next file. */
	| { kind: 'sealed' };

const emptyScope = (): ScopeState => ({ taken: 0, spends: new Map() });

export const createLedgerState = (): LedgerState => ({
	create: emptyScope(),
	status: emptyScope(),
	other: emptyScope(),
});

export const endOf = ({ at, hold }: Interval) => at + hold;

export function applyEntry(ledger: LedgerState, entry: LedgerEntry) {
	if (entry.kind === 'sealed') return;
	const state = ledger[entry.scope];
	switch (entry.kind) {
		case 'take':
			if (entry.number !== state.taken + 1) return;
			state.taken = entry.number;
			addSpend(state, entry);
			return;
		case 'unknown':
			addSpend(state, entry);
			return;
		case 'done':
			addSpend(state, entry);
			if (entry.heard) state.heard = entry.heard;
			if (entry.freeze) state.freeze = entry.freeze;
			return;
		case 'carried': {
			const { kind, scope, spends, ...others } = entry;
			Object.assign(state, others);
			for (const spend of spends) addSpend(state, spend);
		}
	}
}

/** Counts a spend whatever its number is. */
export function addSpend(state: ScopeState, { id, number, at, hold }: Spend) {
	state.spends.set(id, { id, number, at, hold });
}

/** The entries with which a new file begins, so that it continues from this state. */
export const snapshotEntries = (ledger: LedgerState): LedgerEntry[] =>
	scopes.map(scope => {
		const { spends, ...others } = ledger[scope];
		return { kind: 'carried', scope, ...others, spends: [...spends.values()] };
	});

// Two processes may write in another order than they read the clock.
const clockDisorder = 1_000;

/**
 * Removes the spends that have ended. A time in the future was written before the host restarted; it moves
 * to the time of the restart, which is later than the real one and therefore frees nothing too early.
 */
export function prune(ledger: LedgerState, now: number) {
	const isFromBefore = (at: number) => at > now + clockDisorder;
	for (const scope of scopes) {
		const state = ledger[scope];
		for (const interval of [...state.spends.values(), state.heard, state.freeze]) {
			if (interval && isFromBefore(interval.at)) interval.at = 0;
		}
		if (state.fullSince !== undefined && isFromBefore(state.fullSince)) state.fullSince = 0;
		for (const spend of state.spends.values()) {
			if (endOf(spend) <= now) state.spends.delete(spend.id);
		}
	}
}
