import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../foundation/clock.ts';
import type { RunningChildren } from './running-children.ts';

/** Sends a signal, as `process.kill` does: to a process, or to a group if the number is negative. */
export type Kill = (pid: number, signal: NodeJS.Signals | 0) => unknown;

/** The time between SIGTERM and SIGKILL. */
export const terminationGraceMs = 2_000;

type GroupOptions = {
	child: ChildProcess;
	/** Whether the child leads a group of its own. Otherwise, only the child itself is signalled. */
	hasOwnGroup: boolean;
	kill: Kill;
	clock: Clock;
	/** Ends the group when this program exits before `close` is called. */
	runningChildren?: RunningChildren | undefined;
};

type ProcessGroup = {
	/** Asks the group to end with SIGTERM, and ends what is left of the group with SIGKILL. */
	terminate(onKilled: () => void): void;
	isAlive(): boolean;
	/** Cancels the pending SIGKILL, because the group has ended or is allowed to go on. */
	close(): void;
};

/** A child process, and the processes that it started and that are still in its group. */
export function createProcessGroup({
	child,
	hasOwnGroup,
	kill,
	clock,
	runningChildren,
}: GroupOptions): ProcessGroup {
	let cancelKill = () => {};

	function send(signal: NodeJS.Signals | 0): boolean {
		const { pid } = child;
		if (pid === undefined) return false;
		if (!hasOwnGroup) return child.exitCode === null && child.kill(signal);
		try {
			kill(-pid, signal);
			return true;
		} catch {
			// No process of the group is left, or the system has no groups.
			return child.exitCode === null && child.signalCode === null && child.kill(signal);
		}
	}

	const remove = runningChildren?.add(() => void send('SIGKILL'));

	return {
		terminate(onKilled) {
			send('SIGTERM');
			cancelKill = clock.after(terminationGraceMs, () => {
				send('SIGKILL');
				onKilled();
			});
		},
		isAlive: () => send(0),
		close() {
			cancelKill();
			remove?.();
		},
	};
}
