import * as v from '../foundation/schema.ts';
import { type Scope, scopes } from './limits.ts';

// The state of a ledger, and the kinds of entries that change it. Every process of the host applies the same entries
// in the same order, so all of them compute the same state. Times are milliseconds since the host started. The fields
// of these types are also the JSON keys of the ledger's files: do not rename them.

const interval = v.object({ at: v.count, hold: v.count });

/** An interval that begins at `at` and lasts for `hold`. */
export type Interval = v.ValueOf<typeof interval>;

const spend = v.object({ ...interval.entries, id: v.word, number: v.count });

/** A slot that a request has taken. The slot is free again when the interval ends. */
type Spend = v.ValueOf<typeof spend>;

const serverReport = v.object({
	...interval.entries,
	/** The number of the request that the response belongs to. */
	number: v.count,
	limit: v.optional(v.count),
	/** The age of `limit` at the time `at`, if the limit was copied from an earlier report. */
	limitAge: v.optional(v.count),
	remaining: v.optional(v.count),
	/** How many of the requests that the platform counted were not sent by this program. */
	foreign: v.count,
});

/** The budget that the latest response reported. The interval ends when the platform's window resets. */
export type ServerReport = v.ValueOf<typeof serverReport>;

const freeze = v.object({
	...interval.entries,
	/** The number of the last request that was sent before the freeze. */
	number: v.count,
	/** How many times in a row the platform has refused requests. */
	times: v.count,
});

/** The platform has refused a request, so nothing is sent until the interval ends. */
export type Freeze = v.ValueOf<typeof freeze>;

/** The rate limit that the latest response reported. */
const reportFields = { heard: v.optional(serverReport), freeze: v.optional(freeze) };

const scopeState = v.object({
	/** How many slots were ever taken, which is also the number of the last taken slot. */
	taken: v.count,
	...reportFields,
	/** The time at which the ledger became unreadable. From then on, the whole limit counts as spent. */
	fullSince: v.optional(v.count),
});

export type ScopeState = v.ValueOf<typeof scopeState> & {
	/** The slots that are not free again yet, by id. */
	spends: Map<string, Spend>;
};

export type LedgerState = Readonly<Record<Scope, ScopeState>>;

const scope = v.oneOf(scopes);

/** The fields of each kind of entry in a file. */
export const entryTable = {
	/** Takes a slot. The entry is ignored if another process took the same number before. */
	take: { scope, ...spend.entries },
	/** The request has ended, so the time at which its slot becomes free is now certain. */
	done: { scope, ...spend.entries, ...reportFields },
	/** The state of a scope, carried over to the beginning of a new file. */
	carried: { scope, spends: v.listOf(spend), ...scopeState.entries },
	/** The last entry of a file. The ledger continues in the next file. */
	sealed: {},
};

export type LedgerEntry =
	| v.UnionOf<typeof entryTable, 'kind'>
	/** An entry of another version, which counts as one request. */
	| ({ kind: 'unknown'; scope: Scope } & Spend);

const createScopeState = (): ScopeState => ({ taken: 0, spends: new Map() });

export const createLedgerState = (): LedgerState => ({
	create: createScopeState(),
	status: createScopeState(),
	other: createScopeState(),
});

export const intervalEndOf = ({ at, hold }: Interval) => at + hold;

export function applyLedgerEntry(ledger: LedgerState, entry: LedgerEntry) {
	if (entry.kind === 'sealed') return;
	const state = ledger[entry.scope];
	switch (entry.kind) {
		case 'take':
			if (entry.number !== state.taken + 1) return;
			state.taken = entry.number;
			addSpentSlot(state, entry);
			return;
		case 'unknown':
			addSpentSlot(state, entry);
			return;
		case 'done':
			addSpentSlot(state, entry);
			if (entry.heard) state.heard = entry.heard;
			if (entry.freeze) state.freeze = entry.freeze;
			return;
		case 'carried': {
			const { kind, scope, spends, ...others } = entry;
			Object.assign(state, others);
			for (const spend of spends) addSpentSlot(state, spend);
		}
	}
}

/** Adds a spent slot without checking its number. */
export function addSpentSlot(state: ScopeState, { id, number, at, hold }: Spend) {
	state.spends.set(id, { id, number, at, hold });
}

/** Returns the entries that begin a new file, so that the new file continues from this state. */
export const snapshotEntries = (ledger: LedgerState): LedgerEntry[] =>
	scopes.map(scope => {
		const { spends, ...others } = ledger[scope];
		return { kind: 'carried', scope, ...others, spends: [...spends.values()] };
	});

// Entries may be out of order, because two processes may write in another order than they read the clock.
const maxClockDisorderMs = 1_000;

/**
 * Removes the slots that are free again. A time in the future was written before the host restarted. It is
 * replaced by the time of the restart, which is later than the real time, so no slot becomes free too early.
 */
export function removeEndedSpends(ledger: LedgerState, now: number) {
	const latestTime = now + maxClockDisorderMs;
	for (const scope of scopes) {
		const state = ledger[scope];
		const { spends, heard, freeze, fullSince } = state;
		if (heard && heard.at > latestTime) heard.at = 0;
		if (freeze && freeze.at > latestTime) freeze.at = 0;
		if (fullSince !== undefined && fullSince > latestTime) state.fullSince = 0;
		for (const spend of spends.values()) {
			if (spend.at > latestTime) spend.at = 0;
			if (intervalEndOf(spend) <= now) spends.delete(spend.id);
		}
	}
}
