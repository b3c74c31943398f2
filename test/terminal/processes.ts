import { readFileSync } from 'node:fs';

/** Returns the processes that this one has started. */
export const childrenOf = (parent: number) =>
	readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
		.split(' ')
		.filter(Boolean)
		.map(Number);

/** Returns whether a process runs. One that has ended but was not waited for is a zombie. */
export function isProcessRunning(pid: number): boolean {
	try {
		return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
	} catch {
		return false;
	}
}
