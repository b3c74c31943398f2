import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { ruleBelowTable, unreadableText } from '../../../source/wording/table/table-rules.ts';
import { theme } from '../../sample-theme.ts';

const around = { visibleCount: 24, tableEnd: 60, width: 60, now: 0, theme };

test('the rule below the table says which rows are visible if not all are', () => {
	expect(ruleBelowTable({ ...around, firstRow: 11, totalCount: 1000 })).toMatch(
		/^─+ 12–35 of 1,000 ──$/,
	);
	expect(ruleBelowTable({ ...around, firstRow: 0, totalCount: 24 })).toBe('─'.repeat(60));
	expect(ruleBelowTable({ ...around, firstRow: 0, totalCount: 0 })).toBe('─'.repeat(60));
});

test('beside open details, the rule below the table shows the visible rows at the edge of the table', () => {
	expect(ruleBelowTable({ ...around, firstRow: 0, totalCount: 30, width: 150 })).toMatch(
		/^─+ 1–24 of 30 ─{92}$/,
	);
});

test.each([1, 9, 15, 16, 30])('the rule below the table fills exactly %i cells', width => {
	const line = ruleBelowTable({
		...around,
		firstRow: 99,
		totalCount: 1000,
		tableEnd: width,
		width,
	});
	expect(stringWidth(line)).toBe(width);
});

test('the rule below the table is readable in ASCII', () => {
	const plain = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
	expect(ruleBelowTable({ ...around, firstRow: 0, totalCount: 30, theme: plain })).toMatch(
		/ 1-24 of 30 --$/,
	);
});

test('the rule below the table says how many records could not be read and which rows are visible', () => {
	expect(unreadableText(1)).toBe('1 record could not be read');
	const few = { ...around, firstRow: 0, totalCount: 24, unreadableCount: 3 };
	expect(ruleBelowTable(few)).toMatch(/^── 3 records could not be read ─+$/);
	expect(stringWidth(ruleBelowTable(few))).toBe(60);
	const many = ruleBelowTable({ ...few, firstRow: 11, totalCount: 1000 });
	expect(many).toMatch(/^── 3 records could not be read ─+ 12–35 of 1,000 ──$/);
	expect(stringWidth(many)).toBe(60);
	expect(
		ruleBelowTable({ ...few, firstRow: 11, totalCount: 1000, width: 44, tableEnd: 44 }),
	).toMatch(/^── 3 unreadable ─+ 12–35 of 1,000 ──$/);
	expect(ruleBelowTable({ ...few, width: 12, tableEnd: 12 })).toBe('─'.repeat(12));
});
