import type { Scope } from './limits.ts';

// What a ledger says. Every process of the host reads the same entries in the same order and so holds
// the same book. All times are the ledger's own: milliseconds since the host started.

/** From `at` on, for as long as `hold`. */
export type Interval = { at: number; hold: number };

/** One request's place in the budget, until its span ends. */
export type Spend = Interval & { id: string; number: number };

/** What the newest answer told about the budget; its span ends with the platform's reset. */
export type ServerReport = Interval & {
	/** The number of the request that was answered so. */
	number: number;
	limit?: number;
	/** How long before `at` an earlier answer had told that limit; absent when this one did. */
	limitAge?: number;
	remaining?: number;
	/** How many of the requests counted there were not ours. */
	foreign: number;
};

/** Nothing is sent until its span ends. */
export type Freeze = Interval & {
	/** Requests up to this number were on their way when it began. */
	number: number;
	/** How often in a row the platform refused. */
	times: number;
};

export type ScopeState = {
	/** How many slots were ever taken: the number of the last one. */
	taken: number;
	/** By id, those whose span has not ended. */
	spends: Map<string, Spend>;
	heard?: ServerReport;
	freeze?: Freeze;
	/** When everything was counted as spent, because nobody knew what was. */
	fullSince?: number;
};

export type LedgerState = Readonly<Record<Scope, ScopeState>>;

export type LedgerEntry =
	/** Counts only if no other process took the same number before. */
	| ({ kind: 'take'; scope: Scope } & Spend)
	| ({ kind: 'done'; scope: Scope; heard?: ServerReport; freeze?: Freeze } & Spend)
	/** What another version wrote. It stands for one request. */
	| ({ kind: 'unknown'; scope: Scope } & Spend)
	/** How a page stood when the entries before it were cleared away. */
	| ({ kind: 'carried'; scope: Scope; spends: readonly Spend[] } & Omit<ScopeState, 'spends'>)
	/** The last entry that counts: what follows is in the next file. */
	| { kind: 'sealed' };

export const scopes: readonly Scope[] = ['create', 'status', 'other'];

const emptyScope = (): ScopeState => ({ taken: 0, spends: new Map() });

export const createLedgerState = (): LedgerState => ({
	create: emptyScope(),
	status: emptyScope(),
	other: emptyScope(),
});

export const endOf = ({ at, hold }: Interval) => at + hold;

export function applyEntry(book: LedgerState, entry: LedgerEntry) {
	if (entry.kind === 'sealed') return;
	const page = book[entry.scope];
	switch (entry.kind) {
		case 'take':
			if (entry.number !== page.taken + 1) return;
			page.taken = entry.number;
			addSpend(page, entry);
			return;
		case 'unknown':
			addSpend(page, entry);
			return;
		case 'done':
			addSpend(page, entry);
			if (entry.heard) page.heard = entry.heard;
			if (entry.freeze) page.freeze = entry.freeze;
			return;
		case 'carried': {
			const { kind, scope, spends, ...rest } = entry;
			Object.assign(page, rest);
			for (const spend of spends) addSpend(page, spend);
		}
	}
}

/** Keeps one spend whatever else the book says. */
export function addSpend(page: ScopeState, { id, number, at, hold }: Spend) {
	page.spends.set(id, { id, number, at, hold });
}

/** Each page as one entry, so that a new file can begin where the old one ended. */
export const snapshotEntries = (book: LedgerState): LedgerEntry[] =>
	scopes.map(scope => {
		const { spends, ...rest } = book[scope];
		return { kind: 'carried', scope, ...rest, spends: [...spends.values()] };
	});

// Two processes may read the host's clock in the other order than they write.
const clockDisorder = 1_000;

/**
 * Forgets spends that are over. A time that is still to come was written before the host last
 * started; it is moved to that start, which is later than it really was and so frees nothing early.
 */
export function prune(book: LedgerState, now: number) {
	const isFromBefore = (at: number) => at > now + clockDisorder;
	for (const scope of scopes) {
		const page = book[scope];
		for (const span of [...page.spends.values(), page.heard, page.freeze]) {
			if (span && isFromBefore(span.at)) span.at = 0;
		}
		if (page.fullSince !== undefined && isFromBefore(page.fullSince)) page.fullSince = 0;
		for (const spend of page.spends.values()) {
			if (endOf(spend) <= now) page.spends.delete(spend.id);
		}
	}
}
