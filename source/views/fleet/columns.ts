import {
	computerName,
	omittedPortCount,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../../fleet/computers/computer.ts';
import type { FieldName } from '../../fleet/computers/field.ts';
import { isNotRead } from '../../fleet/computers/not-read.ts';
import { sparkline } from '../../lines/bar.ts';
import { cellsOf } from '../../lines/measure.ts';
import type { Span } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { type UsageKind, usageCells, usageSpanMs } from '../../store/usage-history.ts';
import type { Screen } from '../look/screen.ts';
import type { CellContext } from './cell-context.ts';
import { stageSpans, statusCell, uptimeText } from './status.ts';

export type Column = {
	name: string;
	title: string;
	description: string;
	/** A column with `chosen` stays hidden until a person chooses it. */
	visibility?: 'always' | 'chosen';
	/** The widths in cells as the table gets wider, by their turns among the steps of all columns. */
	growth: Readonly<Record<number, number>>;
	align?: 'right';
	field?: FieldName;
	/** A text that flows over covers it, because what went wrong matters more than how busy the computer was before. */
	needsHistory?: boolean;
	/** A text that is too long continues over the empty cells to its right. */
	flowsOver?: (row: FleetRow) => boolean;
	cell: (row: FleetRow, context: CellContext, width: number) => readonly Span[];
};

const accountColumn: Column = {
	name: 'account',
	title: 'ACCOUNT',
	description: 'account of the computer',
	visibility: 'always',
	growth: { 0: 7, 11: 13 },
	field: 'account',
	cell: (_, { accountLabel = [] }) => accountLabel,
};

const readingColumns = (...fields: readonly ReadingField[]): readonly Column[] =>
	fields.flatMap((name): Column[] => {
		const { kind, column, filter } = readingRows[name];
		if (!column) return [];
		const field = filter && (name as FieldName);
		const isPercent = kind === 'percent';
		const cell = isPercent ? percentCell(name) : textCell(name);
		return [{ name, field, align: isPercent ? 'right' : undefined, ...column, cell }];
	});

const sparklineCells = 8;

const historyColumn = (
	kind: UsageKind,
	look: Pick<Column, 'title' | 'description' | 'visibility' | 'growth'>,
): Column => ({
	name: `${kind}-history`,
	...look,
	needsHistory: true,
	cell({ computer }, { now, times, account }) {
		// On a slow line, the newest cell is left out, because it changes with every list.
		const until = times.isCoarse ? now - usageSpanMs / sparklineCells : now;
		const percentages = usageCells(account.usage, computer.id, kind, until, sparklineCells);
		return [[sparkline(percentages), 'faint']];
	},
});

/** Computers that share a name are told apart by their ids. */
function nameCell(row: FleetRow, context: CellContext, width = Infinity): readonly Span[] {
	const { id } = row.computer;
	const name = computerName(row.computer);
	if (!context.sharesName(row)) return [[name]];
	const isWhole = cellsOf(`${name} ${id}`) <= width;
	return [[name], [isWhole ? ` ${id}` : ` …${id.slice(-4)}`, 'faint']];
}

const usageFields: readonly ReadingField[] = ['cpu', 'memory', 'storage'];

export const columns: readonly Column[] = [
	{
		name: 'name',
		title: 'NAME',
		description: 'name',
		visibility: 'always',
		growth: { 0: 12, 11: 20 },
		field: 'name',
		cell: nameCell,
	},
	{
		name: 'id',
		title: 'ID',
		description: 'id on the platform',
		visibility: 'chosen',
		growth: { 8: 15, 18: 36 },
		field: 'id',
		cell: ({ computer }) => [[computer.id, 'faint']],
	},
	{
		name: 'status',
		title: 'STATUS',
		description: 'status of the computer',
		visibility: 'always',
		growth: { 0: 12, 1: 14, 8: 17 },
		field: 'status',
		cell: statusCell,
	},
	{
		name: 'stage',
		title: 'STAGE',
		description: 'operation, progress, error or reason of a stop',
		growth: { 2: 10, 3: 20, 9: 30, 12: 34 },
		// The percentage of a creation must not stand below the title of the CPU.
		flowsOver: ({ computer }) => computer.phase !== 'creating',
		cell: stageSpans,
	},
	...readingColumns('cpu'),
	historyColumn('cpu', {
		title: '30 MIN',
		description: 'CPU use in the last 30 minutes',
		growth: { 10: 8 },
	}),
	...readingColumns('memory'),
	historyColumn('memory', {
		title: 'MEM 30M',
		description: 'memory use in the last 30 minutes',
		visibility: 'chosen',
		growth: { 17: 8 },
	}),
	...readingColumns('storage'),
	{
		name: 'version',
		title: 'VERSION',
		description: 'image version, and whether it is the latest',
		growth: { 5: 8 },
		field: 'version',
		cell(row, context) {
			const { version } = row.computer.reading;
			if (!version) return missingCell('version', row, context, '–');
			return row.isOutdated ? [[`${version} ↑`, 'accent']] : [[version]];
		},
	},
	{
		name: 'uptime',
		title: 'UPTIME',
		description: 'time since the last start',
		growth: { 6: 7, 12: 8 },
		align: 'right',
		field: 'uptime',
		cell(row, context, width) {
			const text = uptimeText(row, context) ?? '';
			// Where the sign of a lower bound leaves too little room, the hours go, because a cut number would be wrong.
			return [[text.length > width ? text.replace(/ .*/, '') : text]];
		},
	},
	{
		name: 'age',
		title: 'AGE',
		description: 'time since the computer was created',
		growth: { 14: 4 },
		align: 'right',
		field: 'age',
		cell({ computer }, { now, times }) {
			const { createdAt } = computer.reading;
			return [[typeof createdAt === 'number' ? times.age(now - createdAt) : '–', 'faint']];
		},
	},
	{
		name: 'ports',
		title: 'PORTS',
		description: 'published ports',
		growth: { 8: 9 },
		field: 'port',
		cell(row, context, width) {
			const { reading } = row.computer;
			if (!reading.ports) return missingCell('ports', row, context);
			const isOlder = context.isOlderThanRow(row, 'ports');
			return [[portsText(reading, width), isOlder ? 'faint' : undefined]];
		},
	},
	...readingColumns(...readingFields.filter(field => !usageFields.includes(field))),
	{
		name: 'seen',
		title: 'SEEN',
		description: 'age of the data in this row',
		visibility: 'chosen',
		growth: { 1: 4 },
		align: 'right',
		cell(row, { now, times, lastReadAtOf, ageOf }) {
			const at = lastReadAtOf(row);
			const text = at === undefined ? '–' : times.age(now - at);
			return [[text, ageOf(row) === 'fresh' ? 'faint' : 'busy']];
		},
	},
];

function missingCell(
	field: ReadingField,
	{ computer }: FleetRow,
	{ account }: CellContext,
	none = '',
): readonly Span[] {
	const text = isNotRead(field, computer, account.listFields) ? '…' : none;
	return text === '' ? [] : [[text, 'faint']];
}

const highPercent = 80;
const criticalPercent = 95;

export function toneOfShare(percent: number): Tone | undefined {
	if (percent > criticalPercent) return 'bad';
	return percent > highPercent ? 'busy' : undefined;
}

/** 12%, ▲82%, !96%, !100 */
function percentCell(field: ReadingField): Column['cell'] {
	return (row, context) => {
		const value = row.computer.reading[field];
		if (typeof value !== 'number') return missingCell(field, row, context);
		const tone = context.isOlderThanRow(row, field) ? 'faint' : toneOfShare(value);
		const sign = value > criticalPercent ? '!' : value > highPercent ? '▲' : '';
		const text = `${sign}${Math.round(value)}%`.slice(0, 4);
		return [[text, tone]];
	};
}

function textCell(field: ReadingField): Column['cell'] {
	return (row, context) => {
		const value = row.computer.reading[field];
		if (typeof value === 'string' && value !== '') return [[value, 'faint']];
		return missingCell(field, row, context, '–');
	};
}

function portsText(reading: Reading, width: number): string {
	const ports = (reading.ports ?? []).map(({ port }) => port);
	const all = ports.length + omittedPortCount(reading);
	for (let shown = ports.length; shown > 0; shown -= 1) {
		const rest = all > shown ? ` +${all - shown}` : '';
		const text = ports.slice(0, shown).join(' ') + rest;
		if (shown === 1 || text.length <= width) return text;
	}
	return '';
}

export type PlacedColumn = { column: Column; width: number; gap: number };

/** The cells at the left edge of each row, for the cursor and the mark, and the cell at the right edge. */
const rowEdges = 4;
const gapWidth = 2;

/** A column that is always shown stands first if it is not named, and that of the accounts before all others. */
export function columnsNamed(
	names: readonly string[] | undefined,
	hasSeveralAccounts = false,
): readonly Column[] {
	const first = hasSeveralAccounts ? [accountColumn] : [];
	if (!names) return [...first, ...columns.filter(({ visibility }) => visibility !== 'chosen')];
	const named = [...new Set(names)].flatMap(name => columns.find(each => each.name === name) ?? []);
	const missing = columns.filter(each => each.visibility === 'always' && !named.includes(each));
	return [...first, ...missing, ...named];
}

type TableScene = {
	screen: Pick<Screen, 'columns' | 'orderings'>;
	accounts: readonly unknown[];
};

/** The column of the ordering is added, because an order by hidden values would look like no order. */
export function placedColumns(
	tableWidth: number,
	{ screen: { columns: names, orderings }, accounts }: TableScene,
): readonly PlacedColumn[] {
	const room = tableWidth - rowEdges;
	const { by } = orderings.fleet;
	const ordering = columns.find(({ field }) => field !== undefined && field === by);
	const named = columnsNamed(names, accounts.length > 1);
	const candidates = ordering ? withColumn(named, ordering) : named;
	const placed = columnsThatFit(room, candidates, names !== undefined, ordering);
	const gaps = placed.length - 1;
	const spare = room - placed.reduce((sum, { gap, width }) => sum + gap + width, 0);
	if (gaps === 0 || spare <= 0) return placed;
	return placed.map((each, at) => {
		const more = Math.floor(spare / gaps) + (at <= spare % gaps ? 1 : 0);
		return at > 0 ? { ...each, gap: each.gap + more } : each;
	});
}

/** Where a person has put the columns into another order, the added one stands at their end. */
function withColumn(shown: readonly Column[], added: Column): readonly Column[] {
	if (shown.includes(added)) return shown;
	const usual = columns.indexOf(added);
	const after = shown.findIndex(column => columns.indexOf(column) > usual);
	return shown.toSpliced(after < 0 ? shown.length : after, 0, added);
}

/** All columns that a person chose appear before any of them grows. */
const growthAfter = 100;

/** The column by which the table is ordered appears after the name and the status. */
const orderingTurn = 1.5;

/** Takes the steps of all columns by their turns until one does not fit, so that a wider table never shows less of a column. */
export function columnsThatFit(
	width: number,
	candidates: readonly Column[],
	areChosen = false,
	ordering?: Column,
): readonly PlacedColumn[] {
	const steps = candidates.flatMap(column =>
		Object.entries(column.growth).map(([key, cells], at) => {
			const turn = Number(key);
			if (at > 0) return { column, cells, turn: areChosen ? turn + growthAfter : turn };
			return { column, cells, turn: column === ordering ? Math.min(turn, orderingTurn) : turn };
		}),
	);
	steps.sort((a, b) => a.turn - b.turn);
	const widths = new Map<Column, number>();
	let room = width + gapWidth;
	for (const { column, cells } of steps) {
		const before = widths.get(column) ?? -gapWidth;
		const needed = cells - before;
		// A column appears with its first width or not at all, but the first column is shown in any case.
		const mayBeCut = widths.has(column) || widths.size === 0;
		const granted = Math.min(needed, mayBeCut || needed <= room ? room : 0);
		if (granted > 0) widths.set(column, before + granted);
		room -= granted;
		if (granted < needed) break;
	}
	return candidates
		.filter(column => widths.has(column))
		.map((column, at) => ({
			column,
			width: widths.get(column) ?? 0,
			gap: at > 0 ? gapWidth : 0,
		}));
}

/** With all that each column can show. */
export const fullTableWidth = (names: readonly string[] | undefined, hasSeveralAccounts: boolean) =>
	columnsNamed(names, hasSeveralAccounts).reduce(
		(sum, { growth }) => sum + Math.max(...Object.values(growth)) + gapWidth,
		rowEdges - gapWidth,
	);
