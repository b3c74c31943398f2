import { createJournal, type JournalProblem } from '../../source/journal/journal.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { account as sampleAccount } from '../arbitraries/sample-facts.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

/** One run of the program, from the facts that it restores to its end. */
export async function runProgram(
	directory: string,
	{
		clock = createHeldClock(),
		process = '1',
		isRecorder = () => true,
		machine,
		account = sampleAccount,
	}: {
		account?: string;
		clock?: HeldClock;
		process?: string;
		isRecorder?: () => boolean;
		machine?: string;
	} = {},
) {
	const troubles: JournalProblem[] = [];
	const onTrouble = (trouble: JournalProblem) => troubles.push(trouble);
	const journal = createJournal({
		directory,
		account,
		clock,
		process,
		machine,
		isRecorder,
		onProblem: onTrouble,
	});
	const store = createStore();
	store.receive(journal.recallFleet());
	store.receive([journal.recallPast()]);
	store.onFact(journal.onFact);
	const state = () => store.getState().accounts.get(account) ?? emptyAccount;
	return { journal, store, clock, troubles, state };
}
