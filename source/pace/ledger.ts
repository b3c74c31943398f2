import {
	applyEntry,
	createLedgerState,
	type LedgerEntry,
	type LedgerState,
	prune,
} from './ledger-state.ts';

/** Counts the requests of one account. */
export type Ledger = {
	/** Whole milliseconds of a clock that never jumps. Read it after `refresh`, never before. */
	elapsed(): number;
	/** An id for a spend that no other process will ever use. */
	newId(): string;
	/** Reads what other processes wrote. The next call may change the returned state in place. */
	refresh(): LedgerState;
	/** Writes an entry and returns the state after it. A take has counted if its id is in that state. */
	append(entry: LedgerEntry): LedgerState;
	/** Why this process has to count alone for now. */
	trouble(): string | undefined;
	/** Whether it counts alone, or did so within this many milliseconds and missed what others spent. */
	isAlone(within: number): boolean;
	close(): void;
};

/**
 * A ledger for one process and its lifetime. If `trouble` is given, other processes spend the same limits
 * unseen, so this one may use only a part of them.
 */
export function createMemoryLedger(options: { elapsed: () => number; trouble?: string }): Ledger {
	const { elapsed, trouble } = options;
	const state = createLedgerState();
	let ids = 0;

	const pruned = () => {
		prune(state, Math.floor(elapsed()));
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
