import { readOnlyMark } from '../../fleet/computers/account.ts';
import {
	computerName,
	isNotRead,
	omittedPortCount,
	type ReadingField,
	readingFields,
	readingRows,
} from '../../fleet/computers/computer.ts';
import {
	computerFilter,
	type FieldName,
	type FieldSource,
	fields,
} from '../../fleet/computers/fields.ts';
import { busyCpu } from '../../fleet/computers/stop-reason.ts';
import { filterFrom, matchedPlaces } from '../../fleet/filters/filter.ts';
import { memoize } from '../../foundation/memoize.ts';
import { sparkline } from '../../lines/chart.ts';
import { spansOf } from '../../lines/line.ts';
import { spellOut } from '../../lines/print.ts';
import { cellsOf, type Span, textOf, withMatches } from '../../lines/span.ts';
import { placedColumns, table, type Width } from '../../lines/table.ts';
import { accountTone } from '../../lines/theme.ts';
import { ageShownAfterMs } from '../../store/freshness.ts';
import { type AccountNameOf, accountNamesOf, type FleetRow } from '../../store/selectors.ts';
import { type UsageKind, usageCells } from '../../store/usage-history.ts';
import { rowUnderCursor } from '../look/cursor.ts';
import type { Click } from '../look/moves.ts';
import { orderByField } from '../look/views.ts';
import type { Scene } from '../scene.ts';
import {
	freshnessOf,
	idleMsOf,
	isOld,
	stageSpans,
	stateOfRow,
	statusCell,
	uptimeText,
} from './status.ts';

export type FleetColumn = {
	name: string;
	title: string;
	description: string;
	visibility?: 'always' | 'chosen';
	/** Its widths in cells by their turns: the room of a table goes to the widths of all columns in the order of these. */
	growth: Readonly<Record<number, number>>;
	align?: 'right';
	field?: FieldName;
	/** A drawing of the past. A text that flows over covers it, because what went wrong matters more. */
	needsHistory?: boolean;
	isDrawn?: boolean;
	flows?: boolean;
	cell: (row: FleetRow, scene: Scene, width: number) => readonly Span[];
};

const accountColumn: FleetColumn = {
	name: 'account',
	title: 'ACCOUNT',
	description: 'account of the computer',
	visibility: 'always',
	growth: { 0: 7, 11: 13 },
	field: 'account',
	cell(row, { accounts }) {
		const profiles = accounts.map(({ profile }) => profile);
		const profile = profiles.find(({ account }) => account === row.account);
		if (!profile) return [];
		const { shortName, colour } = profile;
		return [
			[shortName, accountTone(colour)],
			[readOnlyMark(profile, profiles), 'faint'],
		];
	},
};

const readingColumns = (...fields: readonly ReadingField[]): readonly FleetColumn[] =>
	fields.flatMap((name): FleetColumn[] => {
		const { kind, column, filter } = readingRows[name];
		if (!column) return [];
		const field = filter && (name as FieldName);
		const isPercent = kind === 'percent';
		const cell = isPercent ? percentCell(name) : textCell(name);
		return [{ name, field, align: isPercent ? 'right' : undefined, ...column, cell }];
	});

const listedCells = 8;

const historyColumn = (
	kind: UsageKind,
	look: Pick<FleetColumn, 'title' | 'description' | 'visibility' | 'growth'>,
): FleetColumn => ({
	name: `${kind}-history`,
	...look,
	needsHistory: true,
	isDrawn: true,
	cell(row, scene, width) {
		const { usage } = stateOfRow(row, scene);
		const cells = width === Infinity ? listedCells : width;
		const percentages = usageCells(usage, row.computer.id, kind, scene.now, cells);
		return [[sparkline(percentages), 'faint']];
	},
});

const namePlace = ({ account, computer }: FleetRow) => `${account} ${computerName(computer)}`;

const sharedNames = memoize((rows: readonly FleetRow[]): ReadonlySet<string> => {
	const seen = new Set<string>();
	const shared = new Set<string>();
	for (const row of rows) (seen.has(namePlace(row)) ? shared : seen).add(namePlace(row));
	return shared;
});

/** Computers of an account that share a name are told apart by their ids. */
function nameCell(row: FleetRow, { shown }: Scene, width: number): readonly Span[] {
	const { id } = row.computer;
	const name = computerName(row.computer);
	if (!sharedNames(shown.allRows).has(namePlace(row))) return [[name]];
	const isWhole = cellsOf(`${name} ${id}`) <= width;
	return [[name], [isWhole ? ` ${id}` : ` …${id.slice(-4)}`, 'faint']];
}

const usageFields: readonly ReadingField[] = ['cpu', 'memory', 'storage'];

export const columns: readonly FleetColumn[] = [
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
		flows: true,
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
		cell(row, scene) {
			const { version } = row.computer.reading;
			if (!version) return missingCell('version', row, scene, '–');
			return row.isBehind ? [[`${version} ↑`, 'accent']] : [[version]];
		},
	},
	{
		name: 'uptime',
		title: 'UPTIME',
		description: 'time since the last start',
		growth: { 6: 7, 12: 8 },
		align: 'right',
		field: 'uptime',
		cell(row, scene, width) {
			const text = uptimeText(row, scene) ?? '';
			// Where the sign of a lower bound leaves too little room, the hours go, because a cut number would be wrong.
			return [[text.length > width ? text.replace(/ .*/, '') : text]];
		},
	},
	{
		name: 'idle',
		title: 'IDLE',
		description: `time with a CPU below ${busyCpu}%, as far as it was read without a gap`,
		visibility: 'chosen',
		growth: { 15: 7 },
		align: 'right',
		needsHistory: true,
		cell(row, scene) {
			const idleMs = idleMsOf(row, scene);
			return [[idleMs > 0 ? scene.times.compactDuration(idleMs) : '–', 'faint']];
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
		cell(row, scene, width) {
			const { reading } = row.computer;
			if (!reading.ports) return missingCell('ports', row, scene);
			const ports = reading.ports.map(({ port }) => port);
			const count = ports.length + omittedPortCount(reading);
			const all = ports.join(' ');
			const isWhole = count === ports.length && all.length <= width;
			const text = isWhole ? all : `${ports[0]} +${count - 1}`;
			return [[text, isOlderThanRow(row, 'ports', scene) ? 'faint' : undefined]];
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
		cell(row, scene) {
			const { toldAt, isOld } = freshnessOf(row, scene);
			const text = toldAt === undefined ? '–' : scene.times.age(scene.now - toldAt);
			return [[text, isOld ? 'busy' : 'faint']];
		},
	},
];

function missingCell(field: ReadingField, row: FleetRow, scene: Scene, none = ''): readonly Span[] {
	const { listFields } = stateOfRow(row, scene);
	const text = isNotRead(field, row.computer, listFields) ? '…' : none;
	return text === '' ? [] : [[text, 'faint']];
}

/** A value that only a read of its own tells may be much older than the status of the row. */
function isOlderThanRow(row: FleetRow, field: ReadingField, scene: Scene): boolean {
	const { listFields, computerReads } = stateOfRow(row, scene);
	const { detail, restoredFrom } = computerReads.get(row.computer.id) ?? {};
	const readAt = detail?.at ?? restoredFrom;
	const { toldAt } = freshnessOf(row, scene);
	if (listFields.has(field) || readAt === undefined || toldAt === undefined) return false;
	return toldAt - readAt > ageShownAfterMs;
}

/** 12%, ▲82%, !96%, !100 */
function percentCell(field: ReadingField): FleetColumn['cell'] {
	return (row, scene) => {
		const value = row.computer.reading[field];
		if (typeof value !== 'number') return missingCell(field, row, scene);
		const isHigh = value > 80;
		const sign = value > 95 ? '!' : isHigh ? '▲' : '';
		const tone = value > 95 ? 'bad' : isHigh ? 'busy' : undefined;
		const text = `${sign}${Math.round(value)}%`.slice(0, 4);
		return [[text, isOlderThanRow(row, field, scene) ? 'faint' : tone]];
	};
}

function textCell(field: ReadingField): FleetColumn['cell'] {
	return (row, scene) => {
		const value = row.computer.reading[field];
		if (typeof value === 'string' && value !== '') return [[value, 'faint']];
		return missingCell(field, row, scene, '–');
	};
}

/** A column that is always shown stands first if it is not named, and that of the accounts before all others. */
export function columnsNamed(
	names: readonly string[] | undefined,
	hasSeveralAccounts = false,
): readonly FleetColumn[] {
	const first = hasSeveralAccounts ? [accountColumn] : [];
	if (!names) return [...first, ...columns.filter(({ visibility }) => visibility !== 'chosen')];
	const named = [...new Set(names)].flatMap(name => columns.find(each => each.name === name) ?? []);
	const missing = columns.filter(each => each.visibility === 'always' && !named.includes(each));
	return [...first, ...missing, ...named];
}

export const widthsOf = ({ growth }: Pick<FleetColumn, 'growth'>): readonly Width[] =>
	Object.entries(growth).map(([turn, cells]) => [Number(turn), cells]);

/** All columns that a person chose appear before any of them grows. */
const growthAfter = 100;

/** The column by which the table is ordered appears after the name and the status. */
const orderingTurn = 1.5;

/** A column that a person asked for comes before those that nobody chose. */
const chosenTurn = 2.5;

type ColumnScene = Pick<Scene, 'screen' | 'accounts'>;

/** The column of the ordering is added, because an order by hidden values would look like no order. */
function shownColumns({ screen, accounts }: ColumnScene) {
	const { by, isReversed } = screen.orderings.fleet;
	const named = columnsNamed(screen.columns, accounts.length > 1);
	const ordering = columns.find(({ field }) => field !== undefined && field === by);
	const all = ordering && !named.includes(ordering) ? [...named, ordering] : named;
	return all.map(column => {
		const { title, field, isDrawn } = column;
		const sign = column !== ordering ? '' : isReversed ? '▼' : '▲';
		const click: Click | undefined = field && { type: 'move', move: orderByField(field) };
		const widths = widthsOf(column).map(([turn, least], at): Width => {
			const cells = Math.max(least, cellsOf(title + sign));
			if (at > 0) return [screen.columns ? turn + growthAfter : turn, cells];
			if (column === ordering) return [Math.min(turn, orderingTurn), cells];
			return [column.visibility === 'chosen' ? Math.min(turn, chosenTurn) : turn, cells];
		});
		return { column, title: `${title}${sign}`, widths, click, isDrawn };
	});
}

const edgeCells = 2;

export const columnsWithRoom = (width: number, scene: ColumnScene): readonly FleetColumn[] =>
	placedColumns(shownColumns(scene), width - edgeCells, ({ widths }) => widths).map(
		({ column: { column } }) => column,
	);

//    NAME           STATUS        STAGE                                 CPU    MEM  VERSION   UPTIME
// ◆  cygnus         ○ Stopped 2h  asleep                                              1.3.9 ↑
//  ❯ atlas          ● Active                                            12%    41%  1.4.2      6d 4h
// ▪  borealis       ✖ Error       image pull failed: disk quota exceeded          1.4.2

type TableRow = { row: FleetRow; isOld: boolean };

export function tableLines(
	rows: readonly FleetRow[],
	width: number,
	scene: Scene,
): readonly (readonly Span[])[] {
	const cursor = rowUnderCursor(scene);
	const placed = shownColumns(scene).map(({ column, title, widths, click, isDrawn }) => ({
		title,
		widths,
		click,
		isDrawn,
		align: column.align,
		flows: column.flows,
		cell: ({ row, isOld }: TableRow, cells: number) => cellSpans(row, column, scene, cells, isOld),
	}));
	const tableRows = rows.map((row): TableRow => ({ row, isOld: isOld(row, scene) }));
	const lines = table(placed, tableRows, width - edgeCells, () => ({})).map(spansOf);
	return lines.map((spans, at): readonly Span[] => {
		const row = rows[at - 1];
		if (!row) return [['  '], ...spans];
		return [edgeSign(row, scene), row.id === cursor?.id ? ['❯', 'accent'] : [' '], ...spans];
	});
}

/** A marked row on top of the others needs no sign that it is pinned: what a key would act on matters more. */
function edgeSign({ id }: FleetRow, { screen, shown }: Scene): Span {
	if (screen.marks.has(id)) return ['▪', 'mark'];
	if (shown.keptIds.has(id)) return ['┊', 'faint'];
	return screen.pins.has(id) ? ['◆', 'accent'] : [' '];
}

const filterOf = memoize((text: string) => filterFrom(text, computerFilter));

/** The colours of an old row would suggest that its state is current. */
export function cellSpans(
	row: FleetRow,
	column: FleetColumn,
	scene: Scene,
	width: number,
	isRowOld = isOld(row, scene),
): readonly Span[] {
	const { accounts, screen, now } = scene;
	const spans = column.cell(row, scene, width);
	const isStage = column.name === 'stage';
	// The state of an operation of this program is never out of date.
	const isGrey = isRowOld && !(isStage && row.operation);
	const shown = isGrey ? spans.map(([text]): Span => [text, 'faint']) : spans;
	const name = isStage ? 'stage' : column.field;
	if (name === undefined || screen.filters.fleet === '') return shown;
	const source = fieldSourceOf(row, accountNamesOf(accounts.map(({ profile }) => profile)));
	const terms = filterOf(screen.filters.fleet).termsIn(source, now);
	const values = fields[name].values(source, now);
	const text = textOf(shown);
	return withMatches(shown, matchedPlaces(terms, { text, field: fields[name], values }));
}

export function fieldSourceOf(row: FleetRow, nameOf: AccountNameOf): FieldSource {
	const { computer, listFields } = row;
	const { reading, phase, since } = computer;
	return { reading, phase, since, listFields, accountName: nameOf(row) };
}

const spokenTableWidth = 120;

const namelessColumns = ['account', 'name', 'status', 'stage'];

/** Says a row as "3 of 24: cygnus, Stopped 2 hours, asleep, version 1.3.9 behind". */
export function spokenRow(at: number, row: FleetRow, scene: Scene): string {
	const { screen, shown, now, times } = scene;
	const heard = columnsWithRoom(spokenTableWidth, scene).filter(each => !each.isDrawn);
	const texts = heard.map(({ name, cell }) => ({ name, text: textOf(cell(row, scene, Infinity)) }));
	const unread = texts
		.filter(({ text }) => text === '…')
		.map(({ name }) => (name === 'stage' ? 'reason' : name));
	const [name = '', ...values] = texts
		.filter(({ text }) => spellOut(text) !== '')
		.map(({ name, text }) => spellOut(namelessColumns.includes(name) ? text : `${name} ${text}`));
	const { isOld, readAt } = freshnessOf(row, scene);
	const said = [
		`${at + 1} of ${shown.lines.length}: ${screen.marks.has(row.id) ? 'marked, ' : ''}${name}`,
		screen.pins.has(row.id) ? 'pinned' : '',
		shown.keptIds.has(row.id) ? 'hidden by the filter' : '',
		...values,
		unread.length > 0 ? `${unread.join(' and ')} not read yet` : '',
		isOld ? `data ${spellOut(times.age(now - readAt))} old` : '',
	];
	return said.filter(text => text !== '').join(', ');
}
