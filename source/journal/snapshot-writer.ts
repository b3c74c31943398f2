import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { messageOf } from '../foundation/error.ts';
import type { State } from '../store/state.ts';
import type { FactListener } from '../store/store.ts';
import { haveSameSnapshot, snapshotFacts, writeSnapshot } from './snapshot-file.ts';

const writeIntervalMs = 30_000;

// A larger snapshot is written less often: after each write, the next one waits a millisecond for every ten
// bytes.
const bytesPerWaitMs = 10;

type SnapshotWriterOptions = {
	directory: string;
	clock: Clock;
	/** Counts the writes in progress. */
	activity?: Activity | undefined;
	/** Called when writing fails, and not again until writing has worked. */
	onProblem: (message: string) => void;
};

/**
 * Keeps a snapshot of each account's fleet on disk. A snapshot is written at intervals while the fleet changes,
 * and when the program ends.
 */
export function createSnapshotWriter(options: SnapshotWriterOptions): {
	onFact: FactListener;
	close(): Promise<void>;
} {
	const { directory, clock, activity, onProblem } = options;
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
			const account = latest?.accounts.get(name);
			if (!account) continue;
			try {
				const facts = snapshotFacts(name, account, clock.now());
				bytes += await writeSnapshot({ directory, account: name }, facts);
				isTroubled = false;
			} catch (error) {
				if (!isTroubled) onProblem(messageOf(error));
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
			latest = after;
			const { account: name, type } = fact;
			const [known, now] = [before.accounts.get(name), after.accounts.get(name)];
			// A recalled fact comes from the snapshot itself, so it does not change the snapshot.
			if (!now || type.endsWith('Recalled')) return;
			if (known && haveSameSnapshot(known, now)) return;
			due.add(name);
			cancel ??= clock.after(Math.max(writeIntervalMs, bytes / bytesPerWaitMs), startWriting);
		},
		async close() {
			isClosed = true;
			startWriting();
			await writing;
		},
	};
}
