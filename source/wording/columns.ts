import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import type { FieldName } from '../fleet/field.ts';
import type { Row } from '../store/rows.ts';
import type { Context } from './cell-context.ts';
import { stageSpans } from './stage-text.ts';
import { statusSpans } from './status-text.ts';
import { uptimeText } from './uptime-text.ts';

export type Column = {
	/** What a person calls it in the configuration. */
	name: string;
	title: string;
	/** What it tells, for whoever chooses among them. */
	about: string;
	/** It tells how old the row is. */
	tellsAge?: boolean;
	/** What is old is marked here where no column tells how old it is. */
	marksAge?: boolean;
	/** It tells what we asked for, which is as young as can be. */
	tellsOperation?: boolean;
	/** `always`, or only when it was chosen; the others unless they were not. */
	stays?: 'always' | 'chosen';
	/** Cells at least and at most. */
	least: number;
	most: number;
	/** It grows to this before the others grow at all. */
	comfortable?: number;
	/** The columns with the highest numbers leave first when there is no room. */
	leaves: number;
	align?: 'right';
	/** What it is ordered and filtered by. */
	field?: FieldName;
	cell: (row: Row, width: number, context: Context) => readonly Span[];
};

const told = (text: string | null | undefined, { glyphs }: Theme): readonly Span[] => [
	[text || glyphs.none, 'faint'],
];

const percent = (value: number | null | undefined): readonly Span[] =>
	typeof value === 'number' ? [[`${Math.round(value)}%`]] : [];

// No number is cut: of those that have no room it is told how many they are.
function portsText({ reading }: Row['computer'], width: number, { ruler }: Theme): string {
	const ports = (reading.ports ?? []).map(({ port }) => port);
	const ways = ports.map((_, left) => {
		const shown = ports.slice(0, ports.length - left).join(' ');
		return left > 0 ? `${shown} +${left}` : shown;
	});
	return ways.find(text => ruler.width(text) <= width) ?? ways.at(-1) ?? '';
}

/** THE table of columns, from left to right. */
export const columns: readonly Column[] = [
	{
		name: 'name',
		title: 'NAME',
		about: 'what it is called',
		stays: 'always',
		least: 12,
		most: 24,
		leaves: 0,
		field: 'name',
		cell: ({ computer }) => [[computer.reading.name ?? computer.id]],
	},
	{
		name: 'id',
		title: 'ID',
		about: 'what the platform calls it',
		stays: 'chosen',
		least: 15,
		most: 36,
		leaves: 8,
		field: 'id',
		cell: ({ computer }) => [[computer.id, 'faint']],
	},
	{
		name: 'status',
		title: 'STATUS',
		about: 'whether it runs',
		stays: 'always',
		least: 12,
		most: 13,
		leaves: 0,
		field: 'status',
		marksAge: true,
		cell: ({ computer }, _, { theme }) => statusSpans(computer, theme),
	},
	{
		name: 'stage',
		title: 'STAGE',
		about: 'what is going on with it, and what comes next',
		least: 14,
		comfortable: 34,
		most: 1000,
		tellsOperation: true,
		leaves: 2,
		cell: (row, width, context) => stageSpans(row, width, context),
	},
	{
		name: 'version',
		title: 'VERSION',
		about: 'what its image is, and whether a newer one is out',
		least: 9,
		most: 10,
		leaves: 3,
		field: 'version',
		cell({ computer, isBehind }, _, { theme }) {
			const { version } = computer.reading;
			if (!version) return [[theme.glyphs.none, 'faint']];
			return isBehind ? [[version], [` ${theme.glyphs.update}`, 'accent']] : [[version]];
		},
	},
	{
		name: 'uptime',
		title: 'UPTIME',
		about: 'how long it has been running',
		least: 8,
		most: 9,
		leaves: 4,
		align: 'right',
		field: 'uptime',
		cell(row, _, context) {
			return [[uptimeText(row, context) ?? context.theme.glyphs.none]];
		},
	},
	{
		name: 'age',
		title: 'AGE',
		about: 'how long ago it was created',
		stays: 'chosen',
		least: 4,
		most: 4,
		leaves: 9,
		align: 'right',
		field: 'age',
		cell({ computer }, _, { now, theme }) {
			const { createdAt } = computer.reading;
			return told(typeof createdAt === 'number' ? theme.times.age(now - createdAt) : '', theme);
		},
	},
	{
		name: 'cpu',
		title: 'CPU',
		about: 'percent of what the plan gives',
		least: 5,
		most: 5,
		leaves: 6,
		align: 'right',
		field: 'cpu',
		cell: ({ computer }) => percent(computer.reading.cpu),
	},
	{
		name: 'memory',
		title: 'MEM',
		about: 'percent of what the plan gives',
		least: 5,
		most: 5,
		leaves: 7,
		align: 'right',
		field: 'memory',
		cell: ({ computer }) => percent(computer.reading.memory),
	},
	{
		name: 'storage',
		title: 'DISK',
		about: 'percent of what the plan gives',
		stays: 'chosen',
		least: 5,
		most: 5,
		leaves: 10,
		align: 'right',
		field: 'storage',
		cell: ({ computer }) => percent(computer.reading.storage),
	},
	{
		name: 'ports',
		title: 'PORTS',
		about: 'which of its ports are published',
		least: 9,
		most: 14,
		leaves: 5,
		field: 'port',
		cell: ({ computer }, width, { theme }) => [[portsText(computer, width, theme), 'faint']],
	},
	{
		name: 'address',
		title: 'ADDRESS',
		about: 'where it is in the network of the platform',
		stays: 'chosen',
		least: 15,
		most: 39,
		leaves: 11,
		field: 'address',
		cell: ({ computer }, _, { theme }) => told(computer.reading.address, theme),
	},
	{
		name: 'location',
		title: 'LOCATION',
		about: 'where it runs',
		stays: 'chosen',
		least: 9,
		most: 16,
		leaves: 12,
		cell: ({ computer }, _, { theme }) => told(computer.reading.location, theme),
	},
	{
		name: 'seen',
		title: 'SEEN',
		about: 'how old this row is',
		least: 4,
		most: 4,
		leaves: 1,
		align: 'right',
		tellsAge: true,
		cell(row, _, { now, seenAt, ageOf, theme }) {
			const at = seenAt(row);
			const text = at === undefined ? theme.glyphs.none : theme.times.age(now - at);
			return [[text, ageOf(row) === 'fresh' ? 'faint' : 'busy']];
		},
	},
];
