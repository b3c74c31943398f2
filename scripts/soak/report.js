// What came of it, as rows of a table: what, how much, how much is borne, and whether that is good.
import { inBlocks, percentile, slopeOf } from './figures.js';
import { mostInWindows } from './network.js';

const minute = 60_000;

const median = numbers => percentile(numbers, 0.5);

/** It grows if its slope is surely above nothing and above what is borne, or its end far above its begin. */
function growth(what, points, lasts, most) {
	const blocks = inBlocks(points, lasts / 30);
	const { slope, error } = slopeOf(blocks);
	const third = Math.ceil(blocks.length / 3);
	const [first, last] = [blocks.slice(0, third), blocks.slice(-third)].map(some =>
		median(some.map(([, y]) => y)),
	);
	const line = `${slope.toFixed(2)} ± ${error.toFixed(2)} MB a minute`;
	return {
		what,
		figure: `${line}, ${first.toFixed(0)} → ${last.toFixed(0)} MB`,
		goal: `at most ${most.toFixed(2)}, and a fifth more`,
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

/** `held` is what the program told of itself, and `samples` what its process shows. */
export function reportOf({ held, samples, seen, silence, reports, exit, screen, lasts, warmUp }) {
	const settled = samples.filter(({ at }) => at >= warmUp);
	const begin = held[0].at;
	const warm = held.filter(({ at }) => at - begin >= warmUp);
	const heap = warm.map(({ at, heap }) => [(at - begin) / minute, heap / 1e6]);
	const resident = settled.map(({ at, resident }) => [at / minute, resident]);
	const kinds = [...new Set(warm.flatMap(({ resources }) => Object.keys(resources)))];
	const windows = mostInWindows(seen);
	// For a long while code is still being compiled, and the log fills up: some megabytes in all.
	const borne = megabytes => Math.max(0.1, megabytes / ((lasts - warmUp) / minute));
	return [
		growth('heap after a collection', heap, lasts, borne(4)),
		growth('resident memory', resident, lasts, borne(8)),
		atMost('… at most', Math.round(Math.max(...samples.map(each => each.resident))), 200, ' MB'),
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
		atMost('without news (cuts last 15 s)', Math.round(silence / 1000), 90, ' s'),
		atMost('reports of crashes', reports, 0),
		{
			what: 'its end',
			figure: exit ? `exit code ${exit.exitCode}` : 'it does not end',
			goal: 'exit code 0',
			isGood: exit?.exitCode === 0,
		},
		{
			what: 'the screen afterwards',
			figure: screen,
			goal: 'given back',
			isGood: screen === 'given back',
		},
	];
}
