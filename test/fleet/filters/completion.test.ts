import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../../source/fleet/computers/computer.ts';
import { computerFilter, type FieldSource } from '../../../source/fleet/computers/field.ts';
import { createFilterCompleter } from '../../../source/fleet/filters/completion.ts';

const computer = (reading: Reading, accountName?: string): FieldSource => ({
	reading,
	phase: phaseOf(reading.status),
	since: { at: 0, isLowerBound: true },
	accountName,
});

const fleet = [
	computer({ id: '1', name: 'atlas', status: 'running', version: '1.4.2', cpu: 91 }),
	computer({ id: '2', name: 'atlas-2', status: 'running', version: '1.3.9', cpu: 5 }),
	computer({ id: '3', name: 'vega', status: 'error', version: '1.3.9', location: 'eu north' }),
	computer({ id: '4', name: 'lyra', status: 'sleeping' }, 'lab'),
];

const complete = createFilterCompleter(fleet, computerFilter, 0);

/** Returns the completions at the caret `|`, such as `status:error 14`. */
function completionsOf(drawn: string): readonly string[] {
	const caret = drawn.indexOf('|');
	const { completions } = complete({ text: drawn.replace('|', ''), caret });
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
	['-version:1.3|', ['-version:1.3.9 1']],
	['vega OR version:1.4|', ['version:1.4.2 2']],
	['version:1.4| OR vega', ['version:1.4.2 2']],
	['atlas zzzz|', []],
	['account:|', ['account:lab 1']],
	['x:y|', []],
])('the completions of “%s” are %j', (drawn, expected) => {
	expect(completionsOf(drawn)).toEqual(expected);
});

test('an empty line offers the fields', () => {
	expect(completionsOf('|').slice(0, 4)).toEqual(['name:', 'id:', 'address:', 'status:']);
	expect(completionsOf('atlas |').slice(0, 2)).toEqual(['name:', 'id:']);
});

test('a completion replaces the whole word at the caret', () => {
	const { from, to } = complete({ text: 'atlas status:er x', caret: 15 });
	expect([from, to]).toEqual([6, 15]);
});
