import { expect, test } from 'vitest';
import type { Grid } from '../../../source/terminal/output/grid.ts';
import { findRowShift } from '../../../source/terminal/output/scroll.ts';
import { createTextReader } from '../../../source/terminal/output/text-cells.ts';

const columns = 40;
const names = ['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini', 'hydra'];
const lines = names.map(name => `  ${`${name} `.repeat(6)}`.padEnd(columns).slice(0, columns));

/** Draws the rows, with the one at this index under the cursor. */
const gridOf = (rows: readonly string[], cursor: number): Grid => ({
	columns,
	lines: createTextReader()(
		rows.map((row, at) => (at === cursor ? `\u001B[48;5;236m${row}\u001B[49m` : row)).join('\n'),
	).lines,
});

test('a cursor that moves may shift its row, because the colour of its blank cells need not be sent again', () => {
	const short = names.map(name => name.padEnd(columns));
	const shift = findRowShift(gridOf(short, 2), gridOf(short, 3));
	expect(shift).toMatchObject({ rowsUp: -1 });
});

test('a cursor that moves shifts its row alone, even if the row above it resembles it', () => {
	const failed = (name: string) => `${name.padEnd(12)}failed: disk quota`.padEnd(columns);
	const rows = [...names.slice(0, 2), failed('tarazed'), failed('draco'), ...names.slice(4)];
	const short = rows.map(name => name.padEnd(columns));
	const shift = findRowShift(gridOf(short, 3), gridOf(short, 4));
	expect(shift).toEqual({ top: 3, bottom: 5, rowsUp: -1 });
});

test('rows that scrolled under the cursor are found, though the cursor stays in its line', () => {
	const shift = findRowShift(
		gridOf(lines, 7),
		gridOf([...lines.slice(1), 'new row'.padEnd(columns)], 7),
	);
	expect(shift).toMatchObject({ top: 0, rowsUp: 1 });
});

test('rows that scrolled are found, though a value changed in each of them', () => {
	const rowsAt = (first: number, value: string) =>
		names.map((_, at) => {
			const name = names[(first + at) % names.length] ?? '';
			return `${name.padEnd(10).repeat(3)}  ${value}`.padEnd(columns);
		});
	const shift = findRowShift(gridOf(rowsAt(0, '17 %'), 0), gridOf(rowsAt(2, '94 %'), 0));
	expect(shift).toMatchObject({ rowsUp: 2 });
});

test('another page, whose rows only resemble those before, is not painted with a shift of them', () => {
	const letters = 'abcdefghijklmnop';
	const pageOf = (page: number) =>
		names.map((_, at) => {
			const status = (at + page) % 2 === 0 ? 'active' : 'failed';
			return `${letters.charAt(page * 8 + at).repeat(20)}${status}`.padEnd(columns);
		});
	const shift = findRowShift(gridOf(pageOf(0), 0), gridOf(pageOf(1), 0));
	expect(shift).toBeUndefined();
});
