import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../../source/fleet/computers/computer.ts';
import {
	createFilterCompleter,
	type FilterSubjects,
} from '../../../source/fleet/computers/filter-completion.ts';

type Item = { reading: Reading; account?: string };

const subjectsWith = (onRead = () => {}): FilterSubjects<Item> => ({
	sourceOf({ reading }) {
		onRead();
		return { reading, phase: phaseOf(reading.status), since: { at: 0, isLowerBound: true } };
	},
	accountOf: ({ account }) => account,
	now: 0,
});

const fleet: readonly Item[] = [
	{ reading: { id: '1', name: 'atlas', status: 'running', version: '1.4.2', cpu: 91 } },
	{ reading: { id: '2', name: 'atlas-2', status: 'running', version: '1.3.9', cpu: 5 } },
	{ reading: { id: '3', name: 'vega', status: 'error', version: '1.3.9', location: 'eu north' } },
	{ reading: { id: '4', name: 'lyra', status: 'sleeping' }, account: 'lab' },
];

/** Returns the completions at the caret `|`, such as `status:error 14`. */
function completionsOf(drawn: string, items = fleet): readonly string[] {
	const caret = drawn.indexOf('|');
	const { complete } = createFilterCompleter(subjectsWith());
	const { completions } = complete(items, { text: drawn.replace('|', ''), caret });
	return completions.map(({ word, count }) => (count === undefined ? word : `${word} ${count}`));
}

test.each<[string, readonly string[]]>([
	['st|', ['status:', 'stage:', 'storage:', 'status:stopped 1']],
	['stat|', ['status:']],
	[
		'status:|',
		[
			'status:active 2',
			'status:running 2',
			'status:error 1',
			'status:stopped 1',
			'status:sleeping 1',
		],
	],
	['status:er|', ['status:error 1']],
	['status:eror|', ['status:error 1']],
	['err|', ['status:error 1']],
	['eror|', ['status:error 1']],
	['cpu:|', ['cpu:>80 1', 'cpu:>50 1', 'cpu:<10 1', 'cpu:20..60 0']],
	['cpu:>90|', ['cpu:>90 1']],
	['statu:error|', ['status:error']],
	['location:|', ['location:"eu north" 1']],
	['atlas version:|', ['version:1.4.2 1', 'version:1.3.9 1']],
	['version:| atlas', ['version:1.4.2 1', 'version:1.3.9 1']],
	['-version:1.3|', ['-version:1.3.9 2']],
	['vega OR version:1.4|', ['version:1.4.2 2']],
	['version:1.4| OR vega', ['version:1.4.2 2']],
	['atlas zzzz|', []],
	['x:y|', []],
])('the completions of “%s” are %j', (drawn, expected) => {
	expect(completionsOf(drawn)).toEqual(expected);
});

test('an empty line offers the fields', () => {
	expect(completionsOf('|').slice(0, 4)).toEqual(['name:', 'id:', 'address:', 'status:']);
	expect(completionsOf('atlas |').slice(0, 2)).toEqual(['name:', 'id:']);
});

test('a completion replaces the whole word at the caret', () => {
	const { from, to } = createFilterCompleter(subjectsWith()).complete(fleet, {
		text: 'atlas status:er x',
		caret: 15,
	});
	expect([from, to]).toEqual([6, 15]);
});

function createLargeFleet() {
	const reads = { count: 0 };
	const many = Array.from({ length: 10_000 }, (_, at) => ({
		reading: { id: `${at}`, status: at % 3 ? 'active' : 'error', version: '1.4.2' },
	}));
	const completer = createFilterCompleter(subjectsWith(() => (reads.count += 1)));
	return { reads, many, ...completer };
}

test('typing the letters of a word does not read any computer again, however large the fleet is', () => {
	const { reads, many, complete } = createLargeFleet();
	for (const text of ['web st', 'web sta']) complete(many, { text, caret: text.length });
	const readsOfTheFirstLetters = reads.count;
	expect(readsOfTheFirstLetters).toBeLessThanOrEqual(3 * many.length);
	for (const text of ['web stat', 'web stati', 'web stat', 'web status:e', 'web status:er'])
		complete(many, { text, caret: text.length });
	expect(reads.count - readsOfTheFirstLetters).toBeLessThanOrEqual(many.length);
});

test('after an answer, only the computers that it changed are read again, and the counts are right', () => {
	const { reads, many, complete } = createLargeFleet();
	const line = { text: 'status:', caret: 7 };
	expect(complete(many, line).completions[0]).toEqual({ word: 'status:active', count: 6666 });
	reads.count = 0;
	const changed = many.with(0, { reading: { id: '0', status: 'active', version: '1.4.2' } });
	expect(complete(changed, line).completions[0]).toEqual({ word: 'status:active', count: 6667 });
	expect(reads.count).toBe(1);
});

test('asking twice for the completions of a line in one frame returns the same object', () => {
	const { many, complete } = createLargeFleet();
	const line = { text: 'stat', caret: 4 };
	expect(complete(many, line)).toBe(complete(many, { ...line }));
});
