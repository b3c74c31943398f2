import type { Change } from '../fleet/change.ts';
import type { FieldName } from '../fleet/field.ts';
import { uptimeOf } from '../fleet/uptime.ts';
import type { Waiting } from '../operations/waiting.ts';
import type { Row } from '../store/rows.ts';
import type { Span } from './span.ts';
import { stageSpans } from './stage-text.ts';
import { statusSpans } from './status-text.ts';
import type { Theme } from './theme.ts';
import { ageText, spanText } from './time-text.ts';

/** What a cell is drawn from, beside its row. */
export type Context = {
	now: number;
	latest: string | undefined;
	/** When the row's computer was last told about; undefined for never. */
	seenAt: (row: Row) => number | undefined;
	/** Why an operation of that key has not been sent yet. */
	waitingFor: (key: string) => Waiting | undefined;
	/** What happened here before: how long such a thing usually takes. */
	changes: readonly Change[];
	theme: Theme;
};

export type Column = {
	title: string;
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

const percent = (value: number | null | undefined): readonly Span[] =>
	typeof value === 'number' ? [[`${Math.round(value)}%`]] : [];

/** THE table of columns, from left to right. */
export const columns: readonly Column[] = [
	{
		title: 'NAME',
		least: 12,
		most: 24,
		leaves: 0,
		field: 'name',
		cell: ({ computer }) => [[computer.reading.name ?? computer.id]],
	},
	{
		title: 'STATUS',
		least: 12,
		most: 13,
		leaves: 0,
		field: 'status',
		cell: ({ computer }, _, { theme }) => statusSpans(computer, theme),
	},
	{
		title: 'STAGE',
		least: 14,
		comfortable: 34,
		most: 1000,
		leaves: 1,
		cell: (row, width, context) => stageSpans(row, width, context),
	},
	{
		title: 'VERSION',
		least: 9,
		most: 10,
		leaves: 2,
		field: 'version',
		cell({ computer, isBehind }, _, { theme }) {
			const { version } = computer.reading;
			if (!version) return [[theme.glyphs.none, 'faint']];
			return isBehind ? [[version], [` ${theme.glyphs.update}`, 'accent']] : [[version]];
		},
	},
	{
		title: 'UPTIME',
		least: 8,
		most: 9,
		leaves: 3,
		align: 'right',
		field: 'uptime',
		cell({ computer }, _, { now, theme }) {
			const uptime = uptimeOf(computer, now);
			if (!uptime) return [[theme.glyphs.none, 'faint']];
			const text = spanText(uptime.milliseconds);
			return [[uptime.isLowerBound ? `${theme.glyphs.atLeast}${text}` : text]];
		},
	},
	{
		title: 'CPU',
		least: 5,
		most: 5,
		leaves: 6,
		align: 'right',
		field: 'cpu',
		cell: ({ computer }) => percent(computer.reading.cpu),
	},
	{
		title: 'MEM',
		least: 5,
		most: 5,
		leaves: 7,
		align: 'right',
		field: 'memory',
		cell: ({ computer }) => percent(computer.reading.memory),
	},
	{
		title: 'PORTS',
		least: 9,
		most: 14,
		leaves: 5,
		field: 'port',
		cell: ({ computer }) => [
			[(computer.reading.ports ?? []).map(({ port }) => port).join(' '), 'faint'],
		],
	},
	{
		title: 'SEEN',
		least: 4,
		most: 4,
		leaves: 4,
		align: 'right',
		cell(row, _, { now, seenAt, theme }) {
			const at = seenAt(row);
			return [[at === undefined ? theme.glyphs.none : ageText(now - at), 'faint']];
		},
	},
];

export type Placed = { column: Column; width: number };

const gap = 2;

/** The columns that have room in that many cells, each with its width. */
export function columnsWithin(width: number): readonly Placed[] {
	const needed = (some: readonly Column[]) =>
		some.reduce((sum, { least }) => sum + least + gap, -gap);
	let chosen = [...columns];
	while (chosen.length > 1 && needed(chosen) > width) {
		const most = Math.max(...chosen.map(({ leaves }) => leaves));
		chosen = chosen.filter(({ leaves }, at) => leaves < most || (most === 0 && at === 0));
	}
	const placed = chosen.map(column => ({ column, width: Math.min(column.least, width) }));
	let room = Math.max(0, width - needed(chosen));
	const grow = (each: { column: Column; width: number }, limit: number) => {
		const grown = Math.max(0, Math.min(room, limit - each.width));
		each.width += grown;
		room -= grown;
	};
	for (const each of placed) grow(each, each.column.comfortable ?? each.column.least);
	for (const each of placed) grow(each, each.column.most);
	return placed;
}

export const columnGap = ' '.repeat(gap);
