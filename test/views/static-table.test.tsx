import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { tableWithin } from '../../source/drawing/table-block.ts';
import { StaticTable } from '../../source/views/StaticTable.tsx';
import { drawn, markedTheme } from './drawn.tsx';

const columns = [
	{ title: 'NAME', least: 6, leaves: 0 },
	{ title: 'OWNER', least: 5, leaves: 2 },
	{ title: 'COUNT', least: 5, leaves: 1, align: 'right' },
] as const;

const rows = [
	['東京の名前', 'cafe\u0301', '1'],
	['👩‍👩‍👧‍👦 family', '', '20'],
	['plain', 'somebody', '300'],
];

const draw = (width: number) =>
	drawn(
		<StaticTable
			table={tableWithin(columns, rows, width, markedTheme)}
			hasTitles
			theme={markedTheme}
		/>,
		width,
	);

test('columns stand below one another, whatever their cells are made of', () => {
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

test('columns leave in their order, and then the last is cut', () => {
	expect(draw(21)[0]).toBe(' NAME        COUNT');
	expect(draw(12)[0]).toBe(' NAME');
	expect(draw(8)[1]).toBe(' 東京~');
});
