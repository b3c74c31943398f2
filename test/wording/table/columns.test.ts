import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { readingFields } from '../../../source/fleet/computers/computer.ts';
import type { OrderField } from '../../../source/fleet/computers/order-fields.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { withColumnMove } from '../../../source/screen/column-move.ts';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import { emptyUsage } from '../../../source/store/usage-history.ts';
import { columnChoices, columnsDialog } from '../../../source/wording/dialogs/columns-text.ts';
import { createColumnPlacer } from '../../../source/wording/table/column-placer.ts';
import { columns } from '../../../source/wording/table/columns.ts';
import { detailPlacement, tableWidth } from '../../../source/wording/table/detail-placement.ts';
import { placedColumns } from '../../../source/wording/table/fleet-table-text.ts';
import { now } from '../../arbitraries/values.ts';
import { rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const titles = (names: readonly string[] | undefined, width: number) =>
	placedColumns(width, names).map(({ column }) => column.title);

test('no two columns of the table have the same name', () => {
	expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
});

test('the table keeps the order in which a person chose the columns, and always includes name and status', () => {
	expect(titles(undefined, 120)).toEqual([
		...['NAME', 'STATUS', 'STAGE', 'CPU', '30 MIN', 'MEM', 'VERSION', 'UPTIME', 'PORTS'],
	]);
	expect(titles(['seen', 'status', 'address', 'name'], 120)).toEqual([
		...['SEEN', 'STATUS', 'ADDRESS', 'NAME'],
	]);
	expect(titles(['cpu', 'cpu', 'of another version'], 120)).toEqual(['NAME', 'STATUS', 'CPU']);
});

test('the placed columns stay the same array until a column stands elsewhere', () => {
	const placedOf = createColumnPlacer();
	const byTrouble = placedOf(120, undefined, false, 'trouble');
	expect(placedOf(120, undefined, false, 'cpu'), 'ordered by a visible column').toBe(byTrouble);
	for (const [width, by] of [
		[120, 'location'],
		[121, 'location'],
		[80, 'version'],
		[120, 'cpu'],
	] as const) {
		expect(placedOf(width, undefined, false, by)).toEqual(
			placedColumns(width, undefined, false, by),
		);
	}
	expect(placedOf(119, undefined, false, 'cpu'), 'narrower').not.toBe(byTrouble);
	// An order that was left is placed as before, without being computed again.
	const byLocation = placedOf(120, undefined, false, 'location');
	expect(placedOf(120, undefined, false, 'cpu')).not.toBe(byLocation);
	expect(placedOf(120, undefined, false, 'location')).toBe(byLocation);
});

test('as the table gets narrower, CPU and version stay longer than uptime, memory and ports', () => {
	const fixed = ['NAME', 'STATUS', 'STAGE'];
	for (let width = 60; width < 110; width += 1) {
		const shown = titles(undefined, width).filter(title => !fixed.includes(title));
		const kept = ['CPU', 'VERSION', 'UPTIME', 'MEM', 'PORTS'].slice(0, shown.length);
		expect([...shown].sort(), String(width)).toEqual(kept.sort());
	}
});

test('the column that orders the table is shown as soon as it fits beside the name and the status', () => {
	const ordered = (width: number, by: OrderField, names?: readonly string[]) =>
		placedColumns(width, names, false, by).map(({ column }) => column.title);
	expect(titles(undefined, 60)).not.toContain('MEM');
	expect(ordered(60, 'memory')).toEqual(['NAME', 'STATUS', 'STAGE', 'MEM']);
	expect(ordered(44, 'memory')).toEqual(['NAME', 'STATUS', 'MEM']);
	expect(titles(undefined, 200)).not.toContain('DISK');
	expect(ordered(120, 'storage')).toContain('DISK');
	expect(ordered(120, 'storage', ['name', 'cpu', 'seen'])).toEqual([
		...['STATUS', 'NAME', 'CPU', 'DISK', 'SEEN'],
	]);
	expect(ordered(60, 'trouble')).toEqual(titles(undefined, 60));
});

const all = columns.map(({ name }) => name).reverse();

test('the chosen columns fit every table width, because the least important columns are left out', () => {
	for (let width = 30; width < 300; width += 1) {
		const placed = placedColumns(width, all);
		const used = placed.reduce((sum, each) => sum + each.width + each.gap, 4);
		expect(used, String(width)).toBe(width);
		const names = placed.map(({ column }) => column.name);
		expect(names).toEqual(expect.arrayContaining(['name', 'status']));
		expect(names.includes('address') && !names.includes('stage')).toBe(false);
	}
});

test('a table of several accounts has the stage as soon as ten cells of it fit, also at 60 columns', () => {
	const stageWidth = (width: number) =>
		placedColumns(width, undefined, true).find(({ column }) => column.name === 'stage')?.width;
	expect(stageWidth(60)).toBe(17);
	expect(stageWidth(53)).toBe(10);
	expect(stageWidth(52)).toBeUndefined();
});

const { map } = initialScreen();

test.each([
	['the usual columns', undefined],
	['all columns', all],
	['three columns', ['name', 'status', 'cpu']],
] as const)(
	'no wider terminal shows less of %s, except where the details open beside the table',
	(_, names) => {
		for (const accountCount of [1, 2]) {
			let before = new Map<string, number>();
			let detail = 0;
			for (let columns = 30; columns < 400; columns += 1) {
				const look = { isDetailOpen: false, map, columns: names };
				const width = tableWidth(look, columns, accountCount);
				const placed = placedColumns(width, names, accountCount > 1);
				const after = new Map(placed.map(each => [each.column.name, each.width]));
				const { width: detailWidth } = detailPlacement(look, columns, accountCount);
				const isOpening = detail === 0 && detailWidth > 0;
				expect(isOpening).toBe(columns === 150);
				for (const [name, cells] of isOpening ? [] : before)
					expect(after.get(name) ?? 0, `${name} at ${columns}`).toBeGreaterThanOrEqual(cells);
				expect(detailWidth).toBeGreaterThanOrEqual(detail);
				detail = detailWidth;
				before = after;
			}
			expect(detail).toBeGreaterThan(0);
		}
	},
);

test('a wide table shows the location and the age, and the details stand beside it from 150 columns', () => {
	expect(titles(undefined, 150)).toEqual([
		...[
			'NAME',
			'STATUS',
			'STAGE',
			'CPU',
			'30 MIN',
			'MEM',
			'VERSION',
			'UPTIME',
			'AGE',
			'PORTS',
			'LOCATION',
		],
	]);
	const look = { isDetailOpen: false, map, columns: undefined };
	expect(detailPlacement(look, 150, 1)).toEqual({ place: 'beside', width: 48 });
	expect(detailPlacement(look, 149, 1).place).toBe('hidden');
	const few = { ...look, columns: ['name', 'stage', 'seen'] };
	expect(detailPlacement(few, 150, 1).width).toBeGreaterThan(48);
});

test.each([
	[[], 9, ''],
	[[8080], 9, '8080'],
	[[8080, { port: 9000, omittedAfter: 30 }], 9, '8080 +31'],
	[[8080, 5173], 9, '8080 5173'],
	[[8080, 5173, 9000], 9, '8080 +2'],
	[[8080, 5173, 9000], 14, '8080 5173 9000'],
	[[18080, 25173, 39000], 14, '18080 25173 +1'],
	[[65535, 65534, 65533], 9, '65535 +2'],
] as const)('the ports %j in %i cells are shown as "%s"', (ports, width, text) => {
	const column = columns.find(({ name }) => name === 'ports');
	const reading = {
		id: 'sb_1',
		ports: ports.map(each => (typeof each === 'number' ? { port: each } : each)),
	};
	const computer = {
		id: 'sb_1',
		reading,
		phase: 'active' as const,
		since: { at: now, isLowerBound: false },
		listed: 'with-status' as const,
		isMissing: false,
	};
	const context = {
		now,
		latestVersion: undefined,
		lastReadAtOf: () => now,
		ageOf: () => 'fresh' as const,
		statusAgeOf: () => undefined,
		isOlderThanRow: () => false,
		waitingFor: () => undefined,
		canChange: true,
		changes: [],
		usage: emptyUsage,
		listFields: new Set(readingFields),
		theme,
	};
	const row = { id: rowId('sb_1'), account: 'test', computer, isOutdated: false };
	expect(column?.cellSpans(row, width, context)).toEqual(text === '' ? [] : [[text]]);
});

const open = (names?: readonly string[]): Screen => ({
	...initialScreen(),
	columns: names,
	columnMenu: { choices: columnChoices(names), index: 0 },
});

test('the column dialog hides, moves and shows a column', () => {
	let screen = open(['name', 'status', 'cpu']);
	screen = withColumnMove(screen, { action: 'toggle' });
	expect(screen.columns, 'the name stays').toEqual(['name', 'status', 'cpu']);
	screen = withColumnMove(screen, { action: 'step', steps: 1 });
	screen = withColumnMove(screen, { action: 'step', steps: 1 });
	screen = withColumnMove(screen, { action: 'shift', direction: -1 });
	expect(screen.columns).toEqual(['name', 'cpu', 'status']);
	expect(screen.columnMenu?.index).toBe(1);
	screen = withColumnMove(screen, { action: 'toggle' });
	expect(screen.columns).toEqual(['name', 'status']);
	screen = withColumnMove(screen, { action: 'toggle' });
	expect(screen.columns).toEqual(['name', 'cpu', 'status']);
	for (let step = 0; step < 99; step += 1)
		screen = withColumnMove(screen, { action: 'step', steps: 1 });
	expect(screen.columnMenu?.index).toBe(columns.length - 1);
	expect(withColumnMove(screen, { action: 'shift', direction: 1 }).columnMenu).toEqual(
		screen.columnMenu,
	);
});

test.each([
	[120, 36],
	[80, 24],
	[60, 15],
	[30, 6],
])(
	'the column dialog fits into %i by %i cells and shows the chosen column, below the header where there is room',
	(cells, rows) => {
		const { choices } = open().columnMenu ?? { choices: [] };
		for (const [index, { name }] of choices.entries()) {
			const { lines, width } = columnsDialog(
				{ choices, index },
				['name'],
				bindings,
				{ columns: cells, rows },
				theme,
			);
			expect(lines.length).toBeLessThanOrEqual(rows < 15 ? rows - 1 : rows - 5);
			for (const line of lines) expect(stringWidth(line.replace(/\x1b\[[\d;]*m/g, ''))).toBe(width);
			const title = columns.find(each => each.name === name)?.title;
			expect(lines.find(line => line.includes('❯'))).toContain(title);
		}
	},
);

test('the column dialog says how many columns are below and above the visible ones', () => {
	const { choices } = open().columnMenu ?? { choices: [] };
	const textAt = (index: number, rows: number) => {
		const size = { columns: 60, rows };
		return columnsDialog({ choices, index }, ['name'], bindings, size, theme).lines.join('\n');
	};
	const visibleIn = (text: string) => text.split('\n').filter(line => /\[[x ]\]/.test(line)).length;
	const top = textAt(0, 15);
	expect(top).toContain(`▼ ${choices.length - visibleIn(top)} more lines`);
	expect(top).not.toContain('▲');
	const end = textAt(choices.length - 1, 15);
	expect(end).toContain(`▲ ${choices.length - visibleIn(end)} above`);
	expect(end).not.toContain('▼');
	expect(textAt(0, 60)).not.toContain('more');
});
