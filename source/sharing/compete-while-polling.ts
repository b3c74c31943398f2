import type { Store } from '../store/store.ts';
import type { OwnWatch } from '../watch/watch.ts';
import type { OwnRecorder } from './recorder.ts';

type CompetitionOptions = {
	account: string;
	recorder: OwnRecorder;
	watch: OwnWatch;
	store: Store;
	/** Aborted when the session closes. */
	signal: AbortSignal;
};

/**
 * Returns a watch whose process competes to be the recorder from its first answer on, also if a command reads without
 * starting the watch. While the watch is paused, the lease is left to a process that polls, also if an answer still
 * arrives.
 */
export function competeWhilePolling(options: CompetitionOptions): OwnWatch {
	const { account, recorder, watch, store, signal } = options;
	let isPaused = false;

	const stopListening = store.onFact(fact => {
		if (isPaused || fact.pane !== undefined || fact.account !== account) return;
		if (fact.type === 'readFailed') recorder.compete({ canRead: fact.failure.kind !== 'auth' });
		else if (fact.type.endsWith('Read')) recorder.compete({ canRead: true });
	});

	function withdraw() {
		isPaused = true;
		recorder.withdraw();
	}
	signal.addEventListener('abort', stopListening);

	return {
		...watch,
		start() {
			isPaused = false;
			watch.start();
		},
		stop() {
			watch.stop();
			// The session that closes gives the lease up itself, once its journal is written.
			if (signal.aborted) isPaused = true;
			else withdraw();
		},
		pause() {
			watch.pause();
			withdraw();
		},
	};
}
