import { readdirSync, readFileSync } from 'node:fs';
import { percentile } from '../soak/figures.js';

export const median = numbers => percentile(numbers, 0.5);

/** The processor time that a process has used, in milliseconds. */
export function cpuOf(pid) {
	const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/\(.*\)/, '()')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The processor time of each thread of a process by its id, in milliseconds. */
export function threadTimesOf(pid) {
	const timeOf = id =>
		Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
	return new Map(readdirSync(`/proc/${pid}/task`).map(id => [id, timeOf(id) / 1e6]));
}

/** The resident memory of a process in megabytes. */
export const residentOf = pid =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The largest resident memory that a process has had, in megabytes. */
export const peakOf = pid =>
	Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The memory that a process shares with no other process, in megabytes. */
export function privateOf(pid) {
	const sizes = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/Private_\w+:\s+(\d+)/g);
	return [...sizes].reduce((sum, [, size]) => sum + Number(size), 0) / 1024;
}

/** Creates a table of figures and their goals, which prints each row as it is added. */
export function createTable(title) {
	const rows = [];
	process.stdout.write(`\n${title}\n`);
	return {
		title,
		rows,
		addRow(what, value, goal = '', isMet) {
			const result = isMet === undefined ? '' : isMet ? 'met' : 'MISSED';
			rows.push([what, value, goal, result]);
			process.stdout.write(
				`${[what.padEnd(62), value.padStart(30), '   ', goal.padEnd(36)].join('')}${result}\n`,
			);
		},
	};
}
