import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phaseOf } from '../../../source/fleet/computers/computer.ts';
import { filterFrom } from '../../../source/fleet/computers/filter.ts';
import { isNarrower } from '../../../source/fleet/computers/filter-narrowing.ts';

const parsed = (text: string) => filterFrom(text, { wordsMatch: 'anything' });

test.each<[string, string, boolean]>([
	['at', 'atl', true],
	['at', 'cat', true],
	['atl', 'at', false],
	['atl', 'atl cpu:>80', true],
	['atl', 'atl OR nova', false],
	['atl OR nova', 'nova-2', true],
	['atl OR nova', 'vega', false],
	['-a', '-at', false],
	['-at', '-at', true],
	['cpu:>1', 'cpu:>10', false],
	['status:act', 'status:acti', true],
	['status:=act', 'status:=active', false],
	['status:', 'status:a', true],
	['name:ΟΔΟΣ', 'name:ΟΔΟΣΑ', false],
	['', 'atl', true],
	['atl', '', false],
])('after “%s”, the filter “%s” is narrower: %s', (before, text, expected) => {
	expect(isNarrower(parsed(text), parsed(before))).toBe(expected);
});

const value = fc.constantFrom(
	'a',
	'at',
	'A',
	'atl',
	'ac',
	'active',
	'1',
	'1.',
	'=at',
	'>1',
	'<2',
	'ΣΑ',
	'Σ',
);
const term = fc
	.tuple(
		fc.constantFrom('', '-'),
		fc.constantFrom('', 'name:', 'status:', 'version:', 'cpu:', 'state:', 'account:', 'x:'),
		value,
	)
	.map(parts => parts.join(''));
const filter = fc
	.array(fc.array(term, { maxLength: 2 }), { minLength: 1, maxLength: 2 })
	.map(groups => groups.map(terms => terms.join(' ')).join(' OR '));
const reading = fc.record({
	id: fc.constantFrom('a', 'b'),
	name: fc.constantFrom('a', 'ATL', 'atl', 'nova', 'ΣΑ', 'ΑΣ', 'ΑΣΑ'),
	status: fc.constantFrom('active', 'stopped', 'odd'),
	version: fc.constantFrom('1.4', '1.1', null),
	cpu: fc.constantFrom(1, 2, 11, null),
});

test('a narrower filter matches no computer that the filter before does not match', () => {
	fc.assert(
		fc.property(filter, filter, fc.array(reading), (before, text, readings) => {
			const [wide, narrow] = [parsed(before), parsed(text)];
			fc.pre(isNarrower(narrow, wide));
			for (const each of readings) {
				const subject = {
					reading: each,
					phase: phaseOf(each.status),
					since: { at: 0, isLowerBound: true },
				};
				if (narrow.test(subject, 0, 'lab')) expect(wide.test(subject, 0, 'lab')).toBe(true);
			}
		}),
		{ numRuns: 1000 },
	);
});
