import { omittedPortCount } from '../../fleet/computers/computer.ts';
import { type FieldWithOwnRead, isNotRead } from '../../fleet/computers/not-read.ts';
import type { Theme } from '../../lines/theme.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { CellContext } from './cell-context.ts';
import { type Column, oneToneCells, widthSteps } from './column.ts';
import { stageSpans, statusCell, uptimeText } from './status-text.ts';
import { usageHistoryColumn } from './usage-history-column.ts';

const highPercent = 80;
const criticalPercent = 95;

/** Returns the colour of a share of CPU or memory; undefined while it is nothing to look at. */
export function toneOfShare(percent: number): 'bad' | 'busy' | undefined {
	if (percent > criticalPercent) return 'bad';
	return percent > highPercent ? 'busy' : undefined;
}

/** Marks a high share with a colour and a sign: 12%, ▲82%, !96%. */
function percentText(value: number | null | undefined, { glyphs }: Theme): string {
	if (typeof value !== 'number') return '';
	const percent = Math.round(value);
	if (value <= highPercent) return `${percent}%`;
	const sign = value > criticalPercent ? glyphs.critical : glyphs.ascending;
	// At 100, the sign replaces the percent sign, so that every share fits into four cells.
	return percent < 100 ? `${sign}${percent}%` : `${sign}${percent}`;
}

const faint = () => 'faint' as const;

/** Returns the cells of a field. While nobody has read it, they say so. */
function fieldCells(field: FieldWithOwnRead, cells: Parameters<typeof oneToneCells>[0]) {
	const isUnread = ({ computer }: FleetRow, { listFields }: CellContext) =>
		isNotRead(field, computer, listFields);
	return oneToneCells({
		cellText: (row, width, context) =>
			isUnread(row, context) ? context.theme.glyphs.notRead : cells.cellText(row, width, context),
		toneOf: (row, context) => (isUnread(row, context) ? 'faint' : cells.toneOf?.(row, context)),
	});
}

const percentCells = (kind: 'cpu' | 'memory' | 'storage') =>
	fieldCells(kind, {
		cellText: ({ computer }, _, { theme }) => percentText(computer.reading[kind], theme),
		toneOf: (row, context) =>
			context.isOlderThanRow(row, kind) ? 'faint' : toneOfShare(row.computer.reading[kind] ?? 0),
	});

/** Returns cells of a text that some computers lack. */
const textCells = (field: 'address' | 'location') =>
	fieldCells(field, {
		cellText: ({ computer }, _, { theme }) => computer.reading[field] || theme.glyphs.noValue,
		toneOf: faint,
	});

// Shows only whole port numbers, and counts the ports that do not fit, as in "8080 +2".
function portsText({ reading }: FleetRow['computer'], width: number, { ruler }: Theme): string {
	const { ports: published } = reading;
	if (!published || published.length === 0) return '';
	const ports = published.map(({ port }) => port);
	const omitted = omittedPortCount(reading);
	if (ports.length <= 1 && omitted === 0) return ports.join();
	const ways = ports.map((_, left) => {
		const shown = ports.slice(0, ports.length - left).join(' ');
		return left + omitted > 0 ? `${shown} +${left + omitted}` : shown;
	});
	return ways.find(text => ruler.width(text) <= width) ?? ways.at(-1) ?? '';
}

/** All columns of the table of computers, from left to right, besides that of the accounts. */
export const columns: readonly Column[] = [
	{
		name: 'name',
		title: 'NAME',
		description: 'name',
		visibility: 'always',
		growth: widthSteps([0, 12], [11, 20]),
		field: 'name',
		...oneToneCells({ cellText: ({ computer }) => computer.reading.name ?? computer.id }),
	},
	{
		name: 'id',
		title: 'ID',
		description: 'id on the platform',
		visibility: 'chosen',
		growth: widthSteps([8, 15], [18, 36]),
		field: 'id',
		...oneToneCells({ cellText: ({ computer }) => computer.id, toneOf: faint }),
	},
	{
		name: 'status',
		title: 'STATUS',
		description: 'status of the computer',
		visibility: 'always',
		growth: widthSteps([0, 12], [1, 14], [8, 17]),
		field: 'status',
		changesWithTime: true,
		cellSpans: statusCell,
	},
	{
		name: 'stage',
		title: 'STAGE',
		description: 'operation, progress, error or reason of a stop',
		growth: widthSteps([2, 10], [3, 20], [9, 30], [12, 34]),
		showsOperation: true,
		// The percentage of a creation must not stand below the title of the CPU.
		flowsOver: ({ computer }) => computer.phase !== 'creating',
		searchedField: 'stage',
		changesWithTime: true,
		cellSpans: (row, width, context) => stageSpans(row, width, context),
	},
	{
		name: 'cpu',
		title: 'CPU',
		description: 'CPU use in percent',
		growth: widthSteps([4, 4]),
		align: 'right',
		field: 'cpu',
		...percentCells('cpu'),
	},
	usageHistoryColumn('cpu', {
		name: 'cpu-history',
		title: '30 MIN',
		description: 'CPU use in the last 30 minutes',
		turn: 10,
	}),
	{
		name: 'memory',
		title: 'MEM',
		description: 'memory use in percent',
		growth: widthSteps([7, 4]),
		align: 'right',
		field: 'memory',
		...percentCells('memory'),
	},
	usageHistoryColumn('memory', {
		name: 'memory-history',
		title: 'MEM 30M',
		description: 'memory use in the last 30 minutes',
		visibility: 'chosen',
		turn: 17,
	}),
	{
		name: 'storage',
		title: 'DISK',
		description: 'disk use in percent',
		visibility: 'chosen',
		growth: widthSteps([8, 4]),
		align: 'right',
		field: 'storage',
		...percentCells('storage'),
	},
	{
		name: 'version',
		title: 'VERSION',
		description: 'image version, and whether it is the latest',
		growth: widthSteps([5, 8]),
		field: 'version',
		...fieldCells('version', {
			cellText({ computer, isOutdated }, _, { theme }) {
				const { version } = computer.reading;
				if (!version) return theme.glyphs.noValue;
				return isOutdated ? `${version} ${theme.glyphs.updateAvailable}` : version;
			},
			toneOf({ computer, isOutdated }) {
				if (!computer.reading.version) return 'faint';
				return isOutdated ? 'accent' : undefined;
			},
		}),
	},
	{
		name: 'uptime',
		title: 'UPTIME',
		description: 'time since the last start',
		growth: widthSteps([6, 7], [12, 8]),
		changesWithTime: true,
		align: 'right',
		field: 'uptime',
		...oneToneCells({
			cellText(row, width, context) {
				const text = uptimeText(row, context) ?? '';
				// The sign of a lower bound takes a cell. If the uptime then does not fit, its hours are dropped,
				// because a cut number would be wrong.
				return text.length > width ? text.replace(/ .*/, '') : text;
			},
		}),
	},
	{
		name: 'age',
		title: 'AGE',
		description: 'time since the computer was created',
		growth: widthSteps([14, 4]),
		changesWithTime: true,
		align: 'right',
		field: 'age',
		...oneToneCells({
			cellText({ computer }, _, { now, theme }) {
				const { createdAt } = computer.reading;
				return typeof createdAt === 'number'
					? theme.times.age(now - createdAt)
					: theme.glyphs.noValue;
			},
			toneOf: faint,
		}),
	},
	{
		name: 'ports',
		title: 'PORTS',
		description: 'published ports',
		growth: widthSteps([8, 9]),
		field: 'port',
		...fieldCells('ports', {
			cellText: ({ computer }, width, { theme }) => portsText(computer, width, theme),
			toneOf: (row, context) => (context.isOlderThanRow(row, 'ports') ? 'faint' : undefined),
		}),
	},
	{
		name: 'address',
		title: 'ADDRESS',
		description: 'address in the platform network',
		visibility: 'chosen',
		growth: widthSteps([17, 15], [18, 39]),
		field: 'address',
		...textCells('address'),
	},
	{
		name: 'location',
		title: 'LOCATION',
		description: 'location',
		growth: widthSteps([13, 9]),
		field: 'location',
		...textCells('location'),
	},
	{
		name: 'seen',
		title: 'SEEN',
		description: 'age of the data in this row',
		visibility: 'chosen',
		growth: widthSteps([1, 4]),
		changesWithTime: true,
		align: 'right',
		...oneToneCells({
			cellText(row, _, { now, lastReadAtOf, theme }) {
				const at = lastReadAtOf(row);
				return at === undefined ? theme.glyphs.noValue : theme.times.age(now - at);
			},
			toneOf: (row, { ageOf }) => (ageOf(row) === 'fresh' ? 'faint' : 'busy'),
		}),
	},
];
