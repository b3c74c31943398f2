import { readFileSync } from 'node:fs';

/** Whether a process that a test has started still runs. */
export function isProcessRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// A process that has ended may wait for its parent, which in a container may never ask.
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}
