import type { OperationMove } from '../fleet/change.ts';
import { operationRowOf, stopsComputer } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { changeOf, entryFrom } from './log-entry.ts';
import { createLogTail, type LoggedLine } from './log-files.ts';

export type OtherRuns = {
	/** Reads the log now, and reports the operations that were added since the last read. */
	checkNow(): void;
	/**
	 * Returns whether another run of crowsnest stopped, restarted, updated or deleted the computer in the two
	 * minutes before `at`.
	 */
	wasEndedOnPurpose(computer: string, at: number): boolean;
	stop(): void;
};

type OtherRunsOptions = {
	/** The folder of the log. */
	directory: string;
	account: string;
	/** The machine of this process. */
	machine?: string | undefined;
	clock: Clock;
	onOperationMove: (move: OperationMove) => void;
	/** Called before each read of the log. The returned function is called afterwards. */
	onCheck?: () => () => void;
};

const checkIntervalMs = 2_000;
const recentWindowMs = 120_000;

/** Reports the operations that other runs of crowsnest on this host write to the log. */
export function followOtherRuns(options: OtherRunsOptions): OtherRuns {
	const { directory, account, machine, clock, onOperationMove, onCheck } = options;
	const endedAt = new Map<string, number>();
	let newLines: ReturnType<typeof createLogTail> | undefined;
	let cancelTimer = checkLater();
	readNow();

	/** Returns the lines since the last call; none while the log cannot be read. */
	function readNow(): readonly LoggedLine[] {
		try {
			if (newLines) return newLines();
			newLines = createLogTail(directory);
		} catch {
			// The journal reports this problem.
		}
		return [];
	}

	function checkNow() {
		const onRead = onCheck?.();
		for (const entry of readNow().flatMap(({ text }) => entryFrom(text) ?? [])) {
			const change = changeOf(entry, machine);
			if (entry.account === account && change.type === 'operationMoved') report(change);
		}
		onRead?.();
	}

	function report(move: OperationMove) {
		const { operation, computer } = move.wish;
		for (const [id, at] of endedAt) if (move.at - at >= recentWindowMs) endedAt.delete(id);
		if (computer !== undefined && stopsComputer(operationRowOf(operation)))
			endedAt.set(computer, move.at);
		onOperationMove(move);
	}

	function checkLater(): () => void {
		return clock.after(checkIntervalMs, () => {
			cancelTimer = checkLater();
			checkNow();
		});
	}

	return {
		checkNow,
		wasEndedOnPurpose: (computer, at) =>
			at - (endedAt.get(computer) ?? Number.NEGATIVE_INFINITY) < recentWindowMs,
		stop: () => cancelTimer(),
	};
}
