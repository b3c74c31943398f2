import { createStore as createZustandStore, type StoreApi } from 'zustand/vanilla';
import type { Fact } from '../fleet/fact.ts';
import { fold } from './fold.ts';
import { emptyState, type State } from './state.ts';

/** Sees every fact in order, with the state before and after it, ahead of the subscribers. */
export type Witness = (fact: Fact, before: State, after: State) => void;

export type Store = Pick<StoreApi<State>, 'getState' | 'getInitialState' | 'subscribe'> & {
	fold(fact: Fact): void;
	/** All of them, and then one notice to the subscribers. */
	foldAll(facts: readonly Fact[]): void;
	/** Shows another state in its place: a replay goes back, too. Witnesses are not told. */
	restore(state: State): void;
	/** For the journal and for recordings. What it returns ends it. */
	witness(witness: Witness): () => void;
};

export function createStore(): Store {
	const { getState, getInitialState, setState, subscribe } = createZustandStore<State>(
		() => emptyState,
	);
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
		getInitialState,
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
