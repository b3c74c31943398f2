import { closeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import { finish, finishInTurns, type Steps } from '../foundation/steps.ts';
import type { AccountState, State } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { type CloseFile, closeInBackground } from './fact-file.ts';

/** A file that holds a part of an account's state, and is replaced as a whole. */
export type AccountFile = {
	/** The least time between two writes. */
	writeIntervalMs: number;
	/** Whether there is no such file yet. If so, the file is written soon. */
	isMissing?: (directory: string, account: string) => boolean;
	/** Whether both states would be saved as the same file. */
	haveSame: (before: AccountState, after: AccountState) => boolean;
	/** Replaces the file, and returns its size in bytes. */
	write: (writing: FileWriting) => Steps<number>;
};

type FileWriting = {
	directory: string;
	account: string;
	state: AccountState;
	now: number;
	closeFile: CloseFile;
};

// A large file is written less often: after each write, the next write waits a millisecond for every ten bytes.
const bytesPerWaitMs = 10;

// The delay before a missing file is written. It is long enough for the first frame, and short because a process that
// is killed before has saved nothing.
const firstWriteMs = 100;

type SnapshotWriterOptions = {
	file: AccountFile;
	directory: string;
	clock: Clock;
	/** Whether this process may write the file. Called before each write, except at the end. */
	mayWrite?: (() => boolean) | undefined;
	/**
	 * Resolves when the journal has the changes that led to the present state. A process that starts with this file never
	 * notices a change that the file contains already.
	 */
	beforeWrite?: (() => Promise<void>) | undefined;
	/** Counts the writes in progress. */
	activity?: Activity | undefined;
	/** Called when writing fails, and not again until writing has worked. */
	onProblem: (message: string) => void;
};

/**
 * Keeps a file of each account up to date. The file is written at intervals while the state changes, and at the end.
 */
export function createSnapshotWriter(options: SnapshotWriterOptions): {
	onFact: FactListener;
	close(): Promise<void>;
} {
	const {
		file,
		directory,
		clock,
		activity,
		onProblem,
		beforeWrite,
		mayWrite = () => true,
	} = options;
	const due = new Set<string>();
	let latest: State | undefined;
	let cancel: (() => void) | undefined;
	let writing: Promise<void> = Promise.resolve();
	let isTroubled = false;
	let isClosed = false;
	let bytes = 0;

	async function writeDue(): Promise<void> {
		const names = [...due];
		due.clear();
		bytes = 0;
		for (const name of names) {
			const state = latest?.accounts.get(name);
			if (!state) continue;
			await beforeWrite?.();
			try {
				// At the end of the program, nothing else waits for its turn.
				const closeFile = isClosed ? closeSync : closeInBackground;
				const now = clock.now();
				const steps = file.write({ directory, account: name, state, now, closeFile });
				bytes += isClosed ? finish(steps) : await finishInTurns(steps, nextTurn);
				isTroubled = false;
			} catch (error) {
				if (!isTroubled) onProblem(stateFileErrorText(error));
				isTroubled = true;
				due.add(name);
			}
		}
	}

	function startWriting(): void {
		cancel?.();
		cancel = undefined;
		const end = activity?.begin();
		writing = writing.then(writeDue).finally(end);
	}

	return {
		onFact(fact, before, after) {
			if (isClosed) return;
			if (!mayWrite()) return due.clear();
			latest = after;
			const { account: name, type } = fact;
			const [known, now] = [before.accounts.get(name), after.accounts.get(name)];
			// A recalled fact comes from the snapshot itself, so it does not change the snapshot.
			if (!now || type.endsWith('Recalled')) return;
			if (known && file.haveSame(known, now)) return;
			due.add(name);
			if (cancel) return;
			const interval = file.isMissing?.(directory, name) ? firstWriteMs : file.writeIntervalMs;
			cancel = clock.after(Math.max(interval, bytes / bytesPerWaitMs), () => {
				// If this process was stopped, another process may have written a newer file, which must stay.
				if (!mayWrite()) due.clear();
				startWriting();
			});
		},
		async close() {
			isClosed = true;
			startWriting();
			await writing;
		},
	};
}
