import {
	applyEntry,
	createLedgerState,
	type LedgerEntry,
	type LedgerState,
	removeEndedSpends,
} from './ledger-state.ts';

/** Counts the requests of one account. */
export type Ledger = {
	/**
	 * Returns the whole milliseconds of a clock that never jumps. Call `refresh` first, so that no entry lies in
	 * the future.
	 */
	elapsed(): number;
	/** Returns an id for a slot that no other process will ever use. */
	newId(): string;
	/** Reads what other processes have written. The next call may change the returned object. */
	refresh(): LedgerState;
	/** Writes an entry and returns the state after it. A take has succeeded if its id is in that state. */
	append(entry: LedgerEntry): LedgerState;
	/** Returns why this process counts alone at present; undefined if it does not. */
	trouble(): string | undefined;
	/**
	 * Whether this process counts alone, or did so within this many milliseconds, so that it may have missed
	 * requests of other processes.
	 */
	isAlone(withinMs: number): boolean;
	close(): void;
};

/**
 * A ledger for a single process, kept in memory. `trouble` says why other processes cannot be seen; then this
 * process may use only a part of the limits.
 */
export function createMemoryLedger(options: { elapsed: () => number; trouble?: string }): Ledger {
	const { elapsed, trouble } = options;
	const state = createLedgerState();
	let ids = 0;

	const pruned = () => {
		removeEndedSpends(state, Math.floor(elapsed()));
		return state;
	};

	return {
		elapsed: () => Math.floor(elapsed()),
		newId: () => `${++ids}`,
		refresh: pruned,
		append(entry) {
			applyEntry(state, entry);
			return pruned();
		},
		trouble: () => trouble,
		isAlone: () => trouble !== undefined,
		close: () => undefined,
	};
}
