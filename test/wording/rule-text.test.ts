import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createTheme } from '../../source/drawing/theme.ts';
import { ruleBelow } from '../../source/wording/table-rules.ts';
import { theme } from '../views/drawn.tsx';

const around = { lines: 24, end: 60, width: 60, theme };

test('which rows are seen stands in the line below them, where not all are', () => {
	expect(ruleBelow({ ...around, first: 11, count: 1000 })).toMatch(/^─+ 12–35 of 1000 ──$/);
	expect(ruleBelow({ ...around, first: 0, count: 24 })).toBe('─'.repeat(60));
	expect(ruleBelow({ ...around, first: 0, count: 0 })).toBe('─'.repeat(60));
});

test('beside open details it ends where the table does', () => {
	expect(ruleBelow({ ...around, first: 0, count: 30, width: 150 })).toMatch(
		/^─+ 1–24 of 30 ─{92}$/,
	);
});

test.each([1, 9, 15, 16, 30])('the line is whole in %i cells', width => {
	const line = ruleBelow({ ...around, first: 99, count: 1000, end: width, width });
	expect(stringWidth(line)).toBe(width);
});

test('it can be read where there are no signs', () => {
	const plain = createTheme({ colours: 0, background: 'dark', hasUnicode: false });
	expect(ruleBelow({ ...around, first: 0, count: 30, theme: plain })).toMatch(/ 1-24 of 30 --$/);
});
