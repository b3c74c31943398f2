import type { Span } from '../../drawing/span.ts';
import { percentSparkline } from '../../drawing/sparkline.ts';
import type { Theme } from '../../drawing/theme.ts';
import { omittedPortCount } from '../../fleet/computers/computer.ts';
import type { FieldName } from '../../fleet/computers/field.ts';
import type { Row } from '../../store/selectors.ts';
import { type UsageKind, usageCells, usageSpanMs } from '../../store/usage-history.ts';
import type { CellContext } from './cell-context.ts';
import { stageSpans, statusSpans, uptimeText } from './status-text.ts';

export type Column = {
	/** The column's name in the configuration. */
	name: string;
	title: string;
	/** A short description for the dialog in which a person chooses columns. */
	description: string;
	/** Whether only the monitor shows this column, because a single answer would say nothing in it. */
	isMonitorOnly?: true;
	/** Whether the cells of this column show how old the data of their row is. */
	showsAge?: boolean;
	/** Whether this column marks the rows whose data is old. It does so only if no column shows the age of the data. */
	marksOldRows?: boolean;
	/**
	 * Whether the cells show operations of this program. The state of such an operation is never out of date.
	 */
	showsOperation?: boolean;
	/** Whether a cell can change with the time alone. The cells of other columns change only with their row. */
	changesWithTime?: boolean;
	/**
	 * Returns the text that the cell draws, if it depends on more than the row. The cell is composed again only when this
	 * text changes.
	 */
	drawnText?: (row: Row, width: number, context: CellContext) => string;
	/**
	 * A column with `always` cannot be hidden. A column with `chosen` stays hidden until a person chooses it.
	 */
	visibility?: 'always' | 'chosen';
	/** All widths are numbers of terminal cells. */
	minWidth: number;
	maxWidth: number;
	/** This column grows to the preferred width before any other column grows. */
	preferredWidth?: number;
	/** If the table is too narrow, the columns with the highest `dropOrder` are left out first. */
	dropOrder: number;
	align?: 'right';
	/** The field of a computer by which this column orders and filters the table. */
	field?: FieldName;
	cellSpans: (row: Row, width: number, context: CellContext) => readonly Span[];
};

const optionalTextSpans = (text: string | null | undefined, { glyphs }: Theme): readonly Span[] => [
	[text || glyphs.noValue, 'faint'],
];

const percentSpans = (value: number | null | undefined): readonly Span[] =>
	typeof value === 'number' ? [[`${Math.round(value)}%`]] : [];

// Shows only whole port numbers, and counts the ports that do not fit, as in "8080 +2".
function portsText({ reading }: Row['computer'], width: number, { ruler }: Theme): string {
	const ports = (reading.ports ?? []).map(({ port }) => port);
	const omitted = omittedPortCount(reading);
	const ways = ports.map((_, left) => {
		const shown = ports.slice(0, ports.length - left).join(' ');
		return left + omitted > 0 ? `${shown} +${left + omitted}` : shown;
	});
	return ways.find(text => ruler.width(text) <= width) ?? ways.at(-1) ?? '';
}

// A row draws the last 30 minutes in eight cells, so that a cell stands for almost four minutes.
const sparklineCells = 8;

type NamedColumn = Pick<Column, 'name' | 'title' | 'description' | 'dropOrder' | 'visibility'>;

/** Returns a column with the recent usage of each computer as a sparkline. It leaves first where there is no room. */
function usageHistoryColumn(kind: UsageKind, named: NamedColumn): Column {
	const drawnText = ({ computer }: Row, _: number, { usage, now, theme }: CellContext) => {
		// On a slow line the cell of the last minutes is left out, because it changes with every list.
		const until = theme.times.isCoarse ? now - usageSpanMs / sparklineCells : now;
		return percentSparkline(usageCells(usage, computer.id, kind, until, sparklineCells), theme);
	};
	return {
		...named,
		isMonitorOnly: true,
		minWidth: sparklineCells,
		maxWidth: sparklineCells,
		drawnText,
		cellSpans: (row, width, context) => [[drawnText(row, width, context), 'faint']],
	};
}

/** All columns of the table of computers, from left to right, besides that of the accounts. */
export const columns: readonly Column[] = [
	{
		name: 'name',
		title: 'NAME',
		description: 'name',
		visibility: 'always',
		minWidth: 12,
		maxWidth: 24,
		dropOrder: 0,
		field: 'name',
		cellSpans: ({ computer }) => [[computer.reading.name ?? computer.id]],
	},
	{
		name: 'id',
		title: 'ID',
		description: 'id on the platform',
		visibility: 'chosen',
		minWidth: 15,
		maxWidth: 36,
		dropOrder: 8,
		field: 'id',
		cellSpans: ({ computer }) => [[computer.id, 'faint']],
	},
	{
		name: 'status',
		title: 'STATUS',
		description: 'status of the computer',
		visibility: 'always',
		minWidth: 12,
		maxWidth: 13,
		dropOrder: 0,
		field: 'status',
		marksOldRows: true,
		cellSpans: ({ computer }, _, { theme }) => statusSpans(computer, theme),
	},
	{
		name: 'stage',
		title: 'STAGE',
		description: 'operation, progress, error or reason of a stop',
		minWidth: 14,
		preferredWidth: 34,
		maxWidth: 1000,
		showsOperation: true,
		changesWithTime: true,
		dropOrder: 2,
		cellSpans: (row, width, context) => stageSpans(row, width, context),
	},
	{
		name: 'version',
		title: 'VERSION',
		description: 'image version, and whether it is the latest',
		minWidth: 9,
		maxWidth: 10,
		dropOrder: 3,
		field: 'version',
		cellSpans({ computer, isOutdated }, _, { theme }) {
			const { version } = computer.reading;
			if (!version) return [[theme.glyphs.noValue, 'faint']];
			return isOutdated ? [[version], [` ${theme.glyphs.updateAvailable}`, 'accent']] : [[version]];
		},
	},
	{
		name: 'uptime',
		title: 'UPTIME',
		description: 'time since the last start',
		minWidth: 8,
		maxWidth: 9,
		changesWithTime: true,
		dropOrder: 4,
		align: 'right',
		field: 'uptime',
		cellSpans(row, _, context) {
			return [[uptimeText(row, context) ?? context.theme.glyphs.noValue]];
		},
	},
	{
		name: 'age',
		title: 'AGE',
		description: 'time since the computer was created',
		visibility: 'chosen',
		minWidth: 4,
		maxWidth: 4,
		changesWithTime: true,
		dropOrder: 9,
		align: 'right',
		field: 'age',
		cellSpans({ computer }, _, { now, theme }) {
			const { createdAt } = computer.reading;
			return optionalTextSpans(
				typeof createdAt === 'number' ? theme.times.age(now - createdAt) : '',
				theme,
			);
		},
	},
	{
		name: 'cpu',
		title: 'CPU',
		description: 'CPU use in percent',
		minWidth: 5,
		maxWidth: 5,
		dropOrder: 6,
		align: 'right',
		field: 'cpu',
		cellSpans: ({ computer }) => percentSpans(computer.reading.cpu),
	},
	usageHistoryColumn('cpu', {
		name: 'cpu-history',
		title: '30 MIN',
		description: 'CPU use in the last 30 minutes',
		dropOrder: 13,
	}),
	{
		name: 'memory',
		title: 'MEM',
		description: 'memory use in percent',
		minWidth: 5,
		maxWidth: 5,
		dropOrder: 7,
		align: 'right',
		field: 'memory',
		cellSpans: ({ computer }) => percentSpans(computer.reading.memory),
	},
	usageHistoryColumn('memory', {
		name: 'memory-history',
		title: 'MEM 30M',
		description: 'memory use in the last 30 minutes',
		visibility: 'chosen',
		dropOrder: 14,
	}),
	{
		name: 'storage',
		title: 'DISK',
		description: 'disk use in percent',
		visibility: 'chosen',
		minWidth: 5,
		maxWidth: 5,
		dropOrder: 10,
		align: 'right',
		field: 'storage',
		cellSpans: ({ computer }) => percentSpans(computer.reading.storage),
	},
	{
		name: 'ports',
		title: 'PORTS',
		description: 'published ports',
		minWidth: 9,
		maxWidth: 14,
		dropOrder: 5,
		field: 'port',
		cellSpans: ({ computer }, width, { theme }) => [[portsText(computer, width, theme), 'faint']],
	},
	{
		name: 'address',
		title: 'ADDRESS',
		description: 'address in the platform network',
		visibility: 'chosen',
		minWidth: 15,
		maxWidth: 39,
		dropOrder: 11,
		field: 'address',
		cellSpans: ({ computer }, _, { theme }) => optionalTextSpans(computer.reading.address, theme),
	},
	{
		name: 'location',
		title: 'LOCATION',
		description: 'location',
		visibility: 'chosen',
		minWidth: 9,
		maxWidth: 16,
		dropOrder: 12,
		cellSpans: ({ computer }, _, { theme }) => optionalTextSpans(computer.reading.location, theme),
	},
	{
		name: 'seen',
		title: 'SEEN',
		description: 'age of the data in this row',
		minWidth: 4,
		maxWidth: 4,
		changesWithTime: true,
		dropOrder: 1,
		align: 'right',
		showsAge: true,
		isMonitorOnly: true,
		cellSpans(row, _, { now, lastReadAtOf, ageOf, theme }) {
			const at = lastReadAtOf(row);
			const text = at === undefined ? theme.glyphs.noValue : theme.times.age(now - at);
			return [[text, ageOf(row) === 'fresh' ? 'faint' : 'busy']];
		},
	},
];
