import { readFileSync } from 'node:fs';

/** Returns the processes that this process has started. */
export const childrenOf = (parent: number) =>
	readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
		.split(' ')
		.filter(Boolean)
		.map(Number);

/** Returns whether a process runs. A zombie does not count: it has ended, but its parent has not waited for it. */
export function isProcessRunning(pid: number): boolean {
	try {
		return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
	} catch {
		return false;
	}
}
