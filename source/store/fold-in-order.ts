import type { Fact } from '../fleet/fact.ts';
import type { Activity } from '../foundation/activity.ts';
import { foldListInAdvance } from './fold-list.ts';
import { emptyAccount } from './state.ts';
import type { Store } from './store.ts';

type FoldInOrderOptions = {
	store: Pick<Store, 'fold' | 'getState'>;
	/** Resolves in the next turn of the event loop. If absent, each fact is folded at once. */
	nextTurn?: (() => Promise<void>) | undefined;
	/** Counts the lists whose fold has begun. */
	activity?: Activity | undefined;
	/** When this signal is aborted, no further fact is folded. */
	signal: AbortSignal;
	/** Called after a fact that had to wait was folded. */
	onLateFold: () => void;
};

// A shorter list is folded in a few milliseconds.
const minComputers = 2_000;

// If the account changes during a try, the try is repeated. A try takes a tenth of a second at most, so three tries
// are nearly always enough.
const maxTries = 3;

/**
 * Returns a function that folds facts in their order. A long list is folded in advance, a step in each turn of the
 * event loop, so that keys do not wait. The store changes in one step, so a reader never sees a part of a list.
 *
 * ```
 *   list ─▶ step ─ keys ─ step ─ keys ─ step ─▶ store.fold     the facts that come meanwhile wait for this
 * ```
 */
export function createFoldInOrder(options: FoldInOrderOptions): (fact: Fact) => void {
	const { store, nextTurn, activity, signal, onLateFold } = options;
	const waiting: Fact[] = [];

	function isLong(fact: Fact): boolean {
		return fact.type === 'listRead' && fact.computers.length >= minComputers;
	}

	async function foldWaiting(endTurn: () => Promise<void>): Promise<void> {
		const end = activity?.begin();
		for (let fact = waiting[0]; fact && !signal.aborted; fact = waiting[0]) {
			if (isLong(fact)) await foldInAdvance(fact, endTurn);
			waiting.shift();
			if (signal.aborted) break;
			store.fold(fact);
			onLateFold();
		}
		end?.();
	}

	/** Folds a long list in advance. If another fact changes the account in the meantime, the fold begins again. */
	async function foldInAdvance(fact: Fact, endTurn: () => Promise<void>): Promise<void> {
		if (fact.type !== 'listRead') return;
		const account = () => store.getState().accounts.get(fact.account) ?? emptyAccount;
		for (let tries = 0; tries < maxTries; tries += 1) {
			const before = account();
			for (const _ of foldListInAdvance(before, fact)) {
				await endTurn();
				if (signal.aborted) return;
			}
			if (account() === before) return;
		}
	}

	return fact => {
		if (waiting.length === 0 && !(nextTurn && isLong(fact))) {
			store.fold(fact);
			return;
		}
		waiting.push(fact);
		if (waiting.length === 1 && nextTurn) void foldWaiting(nextTurn);
	};
}
