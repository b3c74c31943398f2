import { createStore as createZustandStore, type StoreApi } from 'zustand/vanilla';
import type { Fact } from '../fleet/fact.ts';
import { fold } from './fold.ts';
import { emptyState, type State } from './state.ts';

/** Called for every fact in order, with the states before and after the fact. */
export type FactListener = (fact: Fact, before: State, after: State) => void;

export type Store = Pick<StoreApi<State>, 'getState' | 'subscribe'> & {
	/**
	 * Folds facts, sets the state once, and then calls the listeners for each fact. What a listener or a subscriber
	 * receives meanwhile is queued behind.
	 */
	receive(facts: readonly Fact[]): void;
	/** Replaces the state without a fact, so that a replay can go back in time. No fact listener is called. */
	restore(state: State): void;
	/** Adds a listener to facts, such as the journal or a recording. Returns a function that removes the listener. */
	onFact(listener: FactListener): () => void;
};

export function createStore(): Store {
	const { getState, setState, subscribe } = createZustandStore<State>(() => emptyState);
	const listeners = new Set<FactListener>();
	const queue: (readonly Fact[])[] = [];
	let isReceiving = false;

	function foldAll(facts: readonly Fact[]): void {
		const states = [getState()];
		for (const fact of facts) states.push(fold(states.at(-1) as State, fact));
		setState(states.at(-1) as State, true);
		for (const [at, fact] of facts.entries())
			for (const listener of listeners)
				listener(fact, states[at] as State, states[at + 1] as State);
	}

	return {
		getState,
		subscribe,
		receive(facts) {
			queue.push(facts);
			if (isReceiving) return;
			isReceiving = true;
			try {
				for (let next = queue.shift(); next; next = queue.shift()) foldAll(next);
			} finally {
				isReceiving = false;
			}
		},
		restore: state => setState(state, true),
		onFact(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
