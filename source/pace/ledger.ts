import {
	applyEntry,
	createLedgerState,
	type LedgerEntry,
	type LedgerState,
	prune,
} from './ledger-state.ts';

/** Where the spending of one account is counted. */
export type Ledger = {
	/** Whole milliseconds of a clock that never jumps. Ask it after `look`, never before. */
	elapsed(): number;
	/** A new id for a spend, that no other process makes. */
	newId(): string;
	/** The book as it stands now, with what other processes wrote. Later calls may change this same book. */
	refresh(): LedgerState;
	/** Writes an entry and returns the book after it. Whether a take counted is seen by its id there. */
	append(entry: LedgerEntry): LedgerState;
	/** Why this process counts alone for now, if it has to. */
	trouble(): string | undefined;
	/** Whether it does, or did within so many milliseconds: what others spent then is not known. */
	isAlone(within: number): boolean;
	close(): void;
};

/**
 * Counts for one process and as long as it lives. With a trouble, other processes spend the same limits
 * unseen, so only a share of them may be used.
 */
export function createMemoryLedger(parts: { elapsed: () => number; trouble?: string }): Ledger {
	const { elapsed, trouble } = parts;
	const book = createLedgerState();
	let minted = 0;

	const pruned = () => {
		prune(book, Math.floor(elapsed()));
		return book;
	};

	return {
		elapsed: () => Math.floor(elapsed()),
		newId: () => `${++minted}`,
		refresh: pruned,
		append(entry) {
			applyEntry(book, entry);
			return pruned();
		},
		trouble: () => trouble,
		isAlone: () => trouble !== undefined,
		close: () => undefined,
	};
}
