import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fitTable, type TableBlock, tableLine } from '../../source/drawing/section.ts';
import { paintSpans } from '../../source/drawing/span.ts';
import { StaticTable } from '../../source/views/StaticTable.tsx';
import { themeWithTildeEllipsis } from '../sample-theme.ts';
import { renderLines } from './rendered.tsx';

const columns = [
	{ title: 'NAME', minWidth: 6, dropOrder: 0 },
	{ title: 'OWNER', minWidth: 5, dropOrder: 2 },
	{ title: 'COUNT', minWidth: 5, dropOrder: 1, align: 'right' },
] as const;

const rows = [
	['東京の名前', 'cafe\u0301', '1'],
	['👩‍👩‍👧‍👦 family', '', '20'],
	['plain', 'somebody', '300'],
];

const linesOf = (table: TableBlock) =>
	[0, 1, 2, 3].map(at =>
		paintSpans(tableLine(table, at, themeWithTildeEllipsis), themeWithTildeEllipsis),
	);

const draw = (width: number) =>
	renderLines(
		<StaticTable lines={linesOf(fitTable(columns, rows, width, themeWithTildeEllipsis))} />,
		width,
	);

test('the columns of a small table line up with cells of any content', () => {
	const lines = draw(40);
	expect(lines).toHaveLength(4);
	expect(lines[0]).toBe(' NAME        OWNER     COUNT');
	expect(lines[3]).toBe(' plain       somebody    300');
	for (const [at, word] of [
		[1, 'caf'],
		[3, 'somebody'],
	] as const) {
		expect(stringWidth(lines[at]?.split(word)[0] ?? '')).toBe(13);
	}
	for (const line of lines) expect(stringWidth(line.trimEnd())).toBe(28);
});

test('a table that is too wide loses columns in the order of dropOrder, and then the last column is shortened', () => {
	expect(draw(21)[0]).toBe(' NAME        COUNT');
	expect(draw(12)[0]).toBe(' NAME');
	expect(draw(8)[1]).toBe(' 東京~');
});
