import type { Operation } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';

/** The processes whose connection has closed, until it is known whether the processes have ended too. */
export type Departures = {
	note(pid: number): void;
	/** Notes that a process is connected again. */
	noteReturn(pid: number): void;
	close(): void;
};

type DeparturesOptions = {
	clock: Clock;
	isRunning: (pid: number) => boolean;
	onLeft: (pid: number, hasEnded: boolean) => void;
};

// The system closes the connections of a process before the process has ended.
const checkedAfterMs = [100, 400, 1_500];

/**
 * Finds out what became of a process that is no longer connected: it has ended (it was killed, for example), or it
 * still exists (it was suspended, for example).
 */
export function createDepartures({ clock, isRunning, onLeft }: DeparturesOptions): Departures {
	const cancelByPid = new Map<number, () => void>();

	function forget(pid: number) {
		cancelByPid.get(pid)?.();
		return cancelByPid.delete(pid);
	}

	function check(pid: number, [nextMs, ...laterMs]: readonly number[]) {
		if (nextMs !== undefined && isRunning(pid)) {
			cancelByPid.set(
				pid,
				clock.after(nextMs, () => check(pid, laterMs)),
			);
			return;
		}
		forget(pid);
		onLeft(pid, !isRunning(pid));
	}

	return {
		note(pid) {
			forget(pid);
			check(pid, checkedAfterMs);
		},
		noteReturn(pid) {
			// The process shares its operations again, so what was known of them is forgotten first.
			if (forget(pid)) onLeft(pid, false);
		},
		close() {
			for (const pid of [...cancelByPid.keys()]) forget(pid);
		},
	};
}

/** Returns the pids of the other processes whose operations are known. */
export const panesWithJobs = ({
	operations,
}: {
	operations: ReadonlyMap<string, Operation>;
}): ReadonlySet<number> => new Set([...operations.values()].flatMap(({ pane }) => pane ?? []));
