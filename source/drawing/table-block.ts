import type { Theme } from './theme.ts';

/** A column of a small table; which of them have room, and how wide, is found out from the rows. */
export type PlannedColumn = {
	/** No two columns of a table have the same. */
	title: string;
	least: number;
	/** As wide as its widest text, if nothing else is said. */
	most?: number;
	/** The columns with the highest numbers leave first when there is no room. */
	leaves: number;
	align?: 'right';
	/** The text in exactly that many cells, painted. */
	draw?: (text: string, width: number, theme: Theme) => string;
};

export type TableColumn = Pick<PlannedColumn, 'title' | 'align' | 'draw'> & { width: number };

export type TableBlock = {
	type: 'table';
	columns: readonly TableColumn[];
	/** A text for each column. */
	rows: readonly (readonly string[])[];
};

// One cell before each column and one after it.
const around = 2;

/** The table in at most that many cells: columns leave, then shrink. */
export function tableWithin(
	columns: readonly PlannedColumn[],
	rows: readonly (readonly string[])[],
	width: number,
	{ ruler }: Theme,
): TableBlock {
	let chosen = columns.map((column, at) => {
		const texts = rows.map(row => row[at] ?? '');
		const widest = texts.reduce((most, text) => Math.max(most, ruler.width(text)), 0);
		const natural = Math.max(column.most ?? widest, ruler.width(column.title));
		return { column, at, natural, width: Math.min(column.least, natural) };
	});
	const needed = () => chosen.reduce((sum, each) => sum + each.width + around, 0);
	while (chosen.length > 1 && needed() > width) {
		const most = Math.max(...chosen.map(({ column }) => column.leaves));
		const leaving = chosen.findLastIndex(({ column }) => column.leaves === most);
		chosen = chosen.filter((_, at) => at !== leaving);
	}
	let room = width - needed();
	for (const each of chosen) {
		const grown = Math.max(
			room < 0 ? 1 - each.width : 0,
			Math.min(room, each.natural - each.width),
		);
		each.width += grown;
		room -= grown;
	}
	return {
		type: 'table',
		columns: chosen.map(each => ({ ...each.column, width: each.width })),
		rows: rows.map(row => chosen.map(({ at }) => row[at] ?? '')),
	};
}
