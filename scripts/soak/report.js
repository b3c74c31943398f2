// Makes the results of a soak into rows of a table: the name, the figure, the goal, and whether the goal is met.
import { medianBlocks, percentile, slopeOf } from './figures.js';
import { mostInWindows } from './network.js';

const minute = 60_000;

const median = numbers => percentile(numbers, 0.5);

/** Growth is bad when its slope is significant and above the goal, or when it ends far above its start. */
function growth(what, points, lasts, most) {
	const blocks = medianBlocks(points, lasts / 30);
	const { slope, error } = slopeOf(blocks);
	const third = Math.ceil(blocks.length / 3);
	const [first, last] = [blocks.slice(0, third), blocks.slice(-third)].map(some =>
		median(some.map(([, y]) => y)),
	);
	const line = `${slope.toFixed(2)} ± ${error.toFixed(2)} MB a minute`;
	return {
		what,
		figure: `${line}, ${first.toFixed(0)} → ${last.toFixed(0)} MB`,
		goal: `at most ${most.toFixed(2)} MB a minute, and 20 % in all`,
		isGood: (slope <= most || slope <= 2 * error) && last <= first * 1.2,
	};
}

function count(what, numbers, most) {
	const half = Math.floor(numbers.length / 2);
	const [first, second] = [numbers.slice(0, half), numbers.slice(half)].map(median);
	const highest = Math.max(...numbers);
	return {
		what,
		figure: `${first} → ${second}, at most ${highest}`,
		goal: `no more at the end, at most ${most}`,
		isGood: second <= first + 2 && highest <= most,
	};
}

function atMost(what, number, most, unit = '') {
	return {
		what,
		figure: `${number}${unit}`,
		goal: `at most ${most}${unit}`,
		isGood: number <= most,
	};
}

/** `held` comes from the probe inside the program, and `samples` come from its process. */
export function reportOf({ held, samples, seen, silence, reports, exit, screen, lasts, warmUp }) {
	const settled = samples.filter(({ at }) => at >= warmUp);
	const begin = held[0].at;
	const warm = held.filter(({ at }) => at - begin >= warmUp);
	const heap = warm.map(({ at, heap }) => [(at - begin) / minute, heap / 1e6]);
	const resident = settled.map(({ at, resident }) => [at / minute, resident]);
	const kinds = [...new Set(warm.flatMap(({ resources }) => Object.keys(resources)))];
	const windows = mostInWindows(seen);
	// Compiled code and the log grow by some megabytes in all, so a short run may grow faster.
	const allowed = megabytes => Math.max(0.1, megabytes / ((lasts - warmUp) / minute));
	return [
		growth('heap after a collection', heap, lasts, allowed(4)),
		growth('resident memory', resident, lasts, allowed(8)),
		atMost(
			'peak resident memory',
			Math.round(Math.max(...samples.map(each => each.resident))),
			200,
			' MB',
		),
		count(
			'sockets',
			settled.map(({ sockets }) => sockets),
			40,
		),
		count(
			'open files',
			settled.map(({ files }) => files),
			80,
		),
		count(
			'listeners',
			warm.map(({ listeners }) => listeners),
			60,
		),
		...kinds.map(kind =>
			count(
				`active: ${kind}`,
				warm.map(({ resources }) => resources[kind] ?? 0),
				40,
			),
		),
		...windows.map(({ scope, limit, most }) => atMost(`${scope}, in any window`, most, limit)),
		atMost('longest time offline (cuts last 15 s)', Math.round(silence / 1000), 90, ' s'),
		atMost('crash reports', reports, 0),
		{
			what: 'exit',
			figure: exit ? `exit code ${exit.exitCode}` : 'did not exit',
			goal: 'exit code 0',
			isGood: exit?.exitCode === 0,
		},
		{
			what: 'the screen afterwards',
			figure: screen,
			goal: 'restored',
			isGood: screen === 'restored',
		},
	];
}
