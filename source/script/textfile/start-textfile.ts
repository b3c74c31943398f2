import type { OperationMove } from '../../fleet/change.ts';
import type { Clock } from '../../foundation/clock.ts';
import { emptyAccount } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import { createEventCounter } from './event-counter.ts';
import { expositionText } from './exposition.ts';
import { createMetrics } from './metrics.ts';
import { createTextfileWriter } from './textfile-writer.ts';

type WriteTextfileOptions = {
	path: string;
	clock: Clock;
	store: Store;
	/** The accounts of the store: their keys, and the names that the file shows. */
	accounts: readonly { account: string; name: string }[];
	onProblem: (reason: string) => void;
};

/** A file that shows the state of the accounts as Prometheus text. It causes no request. */
export type Textfile = {
	/** Counts an operation that another process wrote to the journal. */
	countOperation(account: string, move: OperationMove): void;
	close(): void;
};

/** Writes the file now, and after every change until it is closed. */
export function startTextfile(options: WriteTextfileOptions): Textfile {
	const { path, clock, store, accounts, onProblem } = options;
	const tallies = new Map(accounts.map(({ account }) => [account, createEventCounter()]));
	const metricsOf = createMetrics();
	const writer = createTextfileWriter({
		...{ path, clock, onProblem },
		textNow() {
			const states = store.getState().accounts;
			const measured = accounts.flatMap(({ account, name }) => {
				const totals = tallies.get(account)?.totals();
				return totals ? [{ name, state: states.get(account) ?? emptyAccount, totals }] : [];
			});
			return expositionText(metricsOf(measured, clock.now()));
		},
	});
	const stopCounting = store.onFact(({ account }, before, after) => {
		tallies.get(account)?.countChange(before.accounts.get(account), after.accounts.get(account));
	});
	const stopFollowing = store.subscribe(writer.noteChange);
	writer.noteChange();
	return {
		countOperation(account, move) {
			tallies.get(account)?.countOperation(move);
			writer.noteChange();
		},
		close() {
			stopCounting();
			stopFollowing();
			writer.close();
		},
	};
}
