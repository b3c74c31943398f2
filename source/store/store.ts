import { createStore as createZustandStore, type StoreApi } from 'zustand/vanilla';
import type { Fact } from '../fleet/fact.ts';
import { fold } from './fold.ts';
import { emptyState, type State } from './state.ts';

/**
 * Called for every fact in order, with the states before and after the fact, and before the subscribers are
 * notified.
 */
export type FactListener = (fact: Fact, before: State, after: State) => void;

export type Store = Pick<StoreApi<State>, 'getState' | 'subscribe'> & {
	fold(fact: Fact): void;
	/** Folds all facts, then notifies subscribers once. */
	foldAll(facts: readonly Fact[]): void;
	/** Replaces the state without a fact, so that a replay can go back in time. No fact listener is called. */
	restore(state: State): void;
	/** Adds a listener to facts, such as the journal or a recording. Returns a function that removes the listener. */
	onFact(listener: FactListener): () => void;
};

export function createStore(): Store {
	const { getState, setState, subscribe } = createZustandStore<State>(() => emptyState);
	const factListeners = new Set<FactListener>();

	function foldAll(facts: readonly Fact[]): void {
		let state = getState();
		for (const fact of facts) {
			const before = state;
			state = fold(before, fact);
			for (const listener of factListeners) listener(fact, before, state);
		}
		setState(state, true);
	}

	return {
		getState,
		subscribe,
		fold: fact => foldAll([fact]),
		foldAll,
		restore: state => setState(state, true),
		onFact(listener) {
			factListeners.add(listener);
			return () => factListeners.delete(listener);
		},
	};
}
