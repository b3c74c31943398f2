import { readFileSync } from 'node:fs';
import { percentile } from '../soak/figures.js';

export const median = numbers => percentile(numbers, 0.5);

/** Processor time of a process in milliseconds. */
export function cpuOf(pid) {
	const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/\(.*\)/, '()')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** In megabytes. */
export const residentOf = pid =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Rows of what was measured beside its goal; the last cell says whether it is met. */
export function createTable(title) {
	const rows = [];
	process.stdout.write(`\n${title}\n`);
	return {
		title,
		rows,
		tell(what, value, goal = '', isMet) {
			const verdict = isMet === undefined ? '' : isMet ? 'met' : 'MISSED';
			rows.push([what, value, goal, verdict]);
			process.stdout.write(
				`${[what.padEnd(62), value.padStart(30), '   ', goal.padEnd(36)].join('')}${verdict}\n`,
			);
		},
	};
}
