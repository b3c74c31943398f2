import {
	applyLedgerEntry,
	createLedgerState,
	type LedgerEntry,
	type LedgerState,
	removeEndedSpends,
} from './ledger-state.ts';
import { slotIdFrom } from './slot-id.ts';

/** Counts the requests of one account. */
export type Ledger = {
	/**
	 * Returns the whole milliseconds of a clock that never jumps. Call `refresh` first, so that no entry lies in
	 * the future.
	 */
	now(): number;
	/** Returns an id for a slot that no other process will ever use. The id says whether a watch reads with the slot. */
	newSlotId(isRead?: boolean): string;
	/** Reads what other processes have written. The next call may change the returned object. */
	refresh(): LedgerState;
	/** Writes an entry and returns the state after it. A take has succeeded if its id is in that state. */
	append(entry: LedgerEntry): LedgerState;
	/** Returns why this process counts alone at present; undefined if it does not. */
	problem(): string | undefined;
	/**
	 * Whether this process counts alone, or did so within this many milliseconds, so that it may have missed
	 * requests of other processes.
	 */
	wasAloneWithin(periodMs: number): boolean;
	close(): void;
};

/**
 * A ledger for a single process, kept in memory. `problem` says why this process cannot see the requests of
 * other processes. If there is a problem, the process may use only a part of the limits.
 */
export function createMemoryLedger(options: {
	msSinceBoot: () => number;
	problem?: string;
}): Ledger {
	const { msSinceBoot, problem } = options;
	const state = createLedgerState();
	let idCount = 0;

	const currentState = () => {
		removeEndedSpends(state, Math.floor(msSinceBoot()));
		return state;
	};

	return {
		now: () => Math.floor(msSinceBoot()),
		newSlotId: (isRead = false) => slotIdFrom('memory', ++idCount, isRead),
		refresh: currentState,
		append(entry) {
			applyLedgerEntry(state, entry);
			return currentState();
		},
		problem: () => problem,
		wasAloneWithin: () => problem !== undefined,
		close: () => undefined,
	};
}
