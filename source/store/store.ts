import { createStore as createZustandStore, type StoreApi } from 'zustand/vanilla';
import type { Fact } from '../fleet/fact.ts';
import { fold } from './fold.ts';
import { emptyState, type State } from './state.ts';

/**
 * Called for every fact in order, with the states before and after the fact. Witnesses are called before
 * subscribers.
 */
export type Witness = (fact: Fact, before: State, after: State) => void;

export type Store = Pick<StoreApi<State>, 'getState' | 'subscribe'> & {
	fold(fact: Fact): void;
	/** Folds all facts, then notifies subscribers once. */
	foldAll(facts: readonly Fact[]): void;
	/** Replaces the state without a fact, so that a replay can go back in time. Witnesses are not called. */
	restore(state: State): void;
	/** Adds a witness, such as the journal or a recording. Returns a function that removes it. */
	witness(witness: Witness): () => void;
};

export function createStore(): Store {
	const { getState, setState, subscribe } = createZustandStore<State>(() => emptyState);
	const witnesses = new Set<Witness>();

	function foldAll(facts: readonly Fact[]): void {
		let state = getState();
		for (const fact of facts) {
			const before = state;
			state = fold(before, fact);
			for (const witness of witnesses) witness(fact, before, state);
		}
		setState(state, true);
	}

	return {
		getState,
		subscribe,
		fold: fact => foldAll([fact]),
		foldAll,
		restore: state => setState(state, true),
		witness(witness) {
			witnesses.add(witness);
			return () => witnesses.delete(witness);
		},
	};
}
