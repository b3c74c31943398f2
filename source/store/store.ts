import { createStore as createZustandStore, type StoreApi } from 'zustand/vanilla';
import type { Fact } from '../fleet/fact.ts';
import { fold } from './fold.ts';
import { emptyState, type State } from './state.ts';

export type FactListener = (fact: Fact, before: State, after: State) => void;

export type Store = Pick<StoreApi<State>, 'getState' | 'subscribe'> & {
	/** Calls the listeners for each fact, then sets the state once. What a listener receives meanwhile is queued behind. */
	receive(facts: readonly Fact[]): void;
	/** No fact listener is called. */
	restore(state: State): void;
	onFact(listener: FactListener): () => void;
};

export function createStore(): Store {
	const { getState, setState, subscribe } = createZustandStore<State>(() => emptyState);
	const listeners = new Set<FactListener>();
	const queue: Fact[] = [];
	let isReceiving = false;

	return {
		getState,
		subscribe,
		receive(facts) {
			queue.push(...facts);
			if (isReceiving) return;
			isReceiving = true;
			let state = getState();
			try {
				for (let fact = queue.shift(); fact; fact = queue.shift()) {
					const before = state;
					state = fold(before, fact);
					for (const listener of listeners) listener(fact, before, state);
				}
			} finally {
				isReceiving = false;
			}
			setState(state, true);
		},
		restore: state => setState(state, true),
		onFact(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
