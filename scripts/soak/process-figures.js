// What the system says about the program under test.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns the resident memory of a process in megabytes, and how many files and sockets it has open. */
export function processFiguresOf(pid) {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const targets = readdirSync(`/proc/${pid}/fd`).map(fd => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`);
		} catch {
			return '';
		}
	});
	return {
		resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
		files: targets.length,
		sockets: targets.filter(target => target.startsWith('socket:')).length,
	};
}
