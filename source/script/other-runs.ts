import type { OperationMove } from '../fleet/change.ts';
import { operationRowOf, stopsComputer } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { changeEntryFrom, isEntryOfOwner } from '../journal/journal-entry.ts';
import { tailFile } from './file-tail.ts';

export type OtherRuns = {
	/** Reads the journal now, and reports the operations that were added since the last read. */
	checkNow(): Promise<void>;
	/**
	 * Returns whether another run of crowsnest stopped, restarted, updated or deleted the computer in the two
	 * minutes before `at`.
	 */
	wasEndedOnPurpose(computer: string, at: number): boolean;
	stop(): void;
};

type OtherRunsOptions = {
	/** The path of the journal file. */
	journalPath: string;
	account: string;
	clock: Clock;
	onOperationMove: (move: OperationMove) => void;
};

const checkIntervalMs = 2_000;
const recentWindowMs = 120_000;

/** Reports the operations that other runs of crowsnest on this host write to the journal. */
export async function followOtherRuns(options: OtherRunsOptions): Promise<OtherRuns> {
	const { journalPath: path, account, clock, onOperationMove } = options;
	const tail = await tailFile(path);
	const endedAt = new Map<string, number>();
	let cancelTimer = () => {};
	let checking: Promise<void> = Promise.resolve();

	async function checkOnce() {
		const lines = await tail.readNewLines().catch(() => []);
		for (const entry of lines.flatMap(line => changeEntryFrom(line) ?? [])) {
			if (isEntryOfOwner({ account }, entry) && entry.what.type === 'operationMoved')
				report(entry.what);
		}
	}

	function report(move: OperationMove) {
		const { operation, computer } = move.wish;
		for (const [id, at] of endedAt) if (move.at - at >= recentWindowMs) endedAt.delete(id);
		if (computer !== undefined && stopsComputer(operationRowOf(operation)))
			endedAt.set(computer, move.at);
		onOperationMove(move);
	}

	// Reads of the journal run one after the other, because two reads at once would report the same lines
	// twice.
	function checkNow() {
		checking = checking.then(checkOnce);
		return checking;
	}

	function repeat() {
		cancelTimer = clock.after(checkIntervalMs, repeat);
		void checkNow();
	}

	repeat();
	return {
		checkNow,
		wasEndedOnPurpose: (computer, at) =>
			at - (endedAt.get(computer) ?? Number.NEGATIVE_INFINITY) < recentWindowMs,
		stop() {
			cancelTimer();
			void checking.then(tail.close);
		},
	};
}
