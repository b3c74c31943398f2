import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pageWithTables } from '../scripts/bench/page.js';

const page = `# Benchmarks

Introduction.

## Keys

| | measured | goal | |
| --- | ---: | --- | --- |
| a move | 9 ms | at most 6 ms | MISSED |

Measured on an old day.

A move is mostly drawing.

| by hand | ms |
| --- | --- |
| drawing | 4 |

## Memory

| | measured | goal | |
| --- | ---: | --- | --- |
| peak | 90 MB |  |  |

Measured on an old day.
`;
const origin = 'Measured today.';

test('a measured table replaces the one of the same title and keeps the text below it', () => {
	const keys = { title: 'Keys', rows: [['a move', '5 ms', 'at most 6 ms', 'met']] };
	expect(pageWithTables(page, [keys], origin)).toBe(
		page
			.replace(
				'| a move | 9 ms | at most 6 ms | MISSED |',
				'| a move | 5 ms | at most 6 ms | met |',
			)
			.replace('Measured on an old day.\n\nA move', 'Measured today.\n\nA move'),
	);
});

test('a table with a new title comes last', () => {
	const start = { title: 'Start', rows: [['a | b', '5 ms', '', '']] };
	expect(pageWithTables(page, [start], origin)).toBe(`${page}
## Start

| | measured | goal | |
| --- | ---: | --- | --- |
| a \\| b | 5 ms |  |  |

Measured today.
`);
});

test('a second run changes nothing but the figures', () => {
	const keys = { title: 'Keys', rows: [['a move', '5 ms', '', '']] };
	const once = pageWithTables(page, [keys], origin);
	expect(pageWithTables(once, [keys], origin)).toBe(once);
});

test('the page in the repository stays as it is if nothing was measured', () => {
	const real = readFileSync(resolve(import.meta.dirname, '../docs/benchmarks.md'), 'utf8');
	expect(pageWithTables(real, [], origin)).toBe(real);
});
