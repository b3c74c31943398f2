import { createStore as createRecorder } from 'zustand/vanilla';
import { openJournal } from '../../source/journal/journal.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { account as sampleAccount } from '../arbitraries/sample-facts.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

type RunOptions = {
	account?: string;
	clock?: HeldClock;
	process?: string;
	isRecorder?: boolean;
	machine?: string;
};

/** One run of the program, from the facts that it restores to its end. */
export function runProgram(directory: string, options: RunOptions = {}) {
	const { clock = createHeldClock(), process = '1', machine, account = sampleAccount } = options;
	const recorder = createRecorder(() => options.isRecorder ?? true);
	const troubles: string[] = [];
	const store = createStore();
	const { onFact } = store;
	let isKilled = false;
	const journal = openJournal({
		directory,
		account,
		store: { ...store, onFact: listener => onFact((...told) => isKilled || listener(...told)) },
		clock,
		process,
		machine,
		recorder,
		onProblem: message => troubles.push(message),
	});
	const state = () => store.getState().accounts.get(account) ?? emptyAccount;
	/** After this, the run writes nothing more. */
	const kill = () => {
		isKilled = true;
	};
	return { account, journal, store, clock, troubles, state, recorder, kill };
}
