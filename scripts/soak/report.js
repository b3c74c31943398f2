// Makes the results of a soak into rows of a table: the name, the figure, the goal, and whether the goal is met.
import { medianBlocks, percentile, slopeOf } from './figures.js';
import { mostInWindows } from './network.js';

const minute = 60_000;

const median = numbers => percentile(numbers, 0.5);

/** Splits the points of a run into blocks, and returns those of its first and of its last third. */
function thirdsOf(points, lasts) {
	const blocks = medianBlocks(points, lasts / 30);
	const third = Math.ceil(blocks.length / 3);
	return { first: blocks.slice(0, third), last: blocks.slice(-third) };
}

const middle = blocks => median(blocks.map(([, value]) => value));

// A shorter run ends while V8 still compiles what the run uses.
const leastToJudge = 60 * minute;

/** What grows at first has to stop: in the last third, the slope may differ from zero by two errors. */
function growth(what, points, lasts) {
	const { first, last } = thirdsOf(points, lasts);
	const { slope, error } = slopeOf(last);
	const change = `${middle(first).toFixed(1)} → ${middle(last).toFixed(1)} MB`;
	return {
		what,
		figure: `${change}, at the end ${(slope * 60).toFixed(1)} ± ${(error * 60).toFixed(1)} MB an hour`,
		goal: 'none in the last third of an hour or more',
		isGood: slope <= 2 * error || lasts < leastToJudge,
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

/** `notes` come from the probe inside the program, and `samples` from its process. */
export function reportOf({ notes, samples, seen, silence, reports, exit, screen, lasts, warmUp }) {
	const settled = samples.filter(({ at }) => at >= warmUp && at < lasts);
	const begin = notes[0].at;
	const warm = notes.filter(({ at }) => at - begin >= warmUp && at - begin < lasts);
	const held = pick => warm.map(note => [(note.at - begin) / minute, pick(note) / 1e6]);
	const resident = settled.map(({ at, resident }) => [at / minute, resident]);
	const kinds = [...new Set(warm.flatMap(({ resources }) => Object.keys(resources)))];
	const windows = mostInWindows(seen);
	return [
		growth(
			'heap after a collection',
			held(({ heap }) => heap),
			lasts,
		),
		growth(
			'compiled code',
			held(({ code }) => code),
			lasts,
		),
		growth(
			'heap without compiled code',
			held(({ heap, code }) => heap - code),
			lasts,
		),
		growth('resident memory', resident, lasts),
		atMost(
			'resident memory at rest afterwards',
			Math.round(median(samples.filter(each => each.isAtRest).map(each => each.resident))),
			90,
			' MB',
		),
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
