import type { MapGroup } from './map-groups.ts';

/**
 * How cells are drawn: `spaced` leaves a gap after each, `whole` draws a cell in each character, and `half` draws two,
 * one above the other.
 */
type CellStyle = 'spaced' | 'whole' | 'half';

export type MapLayout = {
	groups: readonly PlacedGroup[];
	style: CellStyle;
	/** The number of computers that a cell stands for. */
	computersPerCell: number;
	/** The number of cells in a row of cells. */
	cellsPerRow: number;
	labelWidth: number;
	countWidth: number;
	alarmWidth: number;
};

/** A group and the lines of the map that it takes. */
export type PlacedGroup = MapGroup & { firstLine: number; lineCount: number };

type LayoutOptions = {
	width: number;
	lines: number;
	/** Whether a cell may be half a character. */
	hasHalves: boolean;
};

const minLabelWidth = 7;
const maxLabelWidth = 16;
const minWidthForWords = 76;

// The columns before a label with the cursor, and the gaps around the number of computers.
const edgeWidth = 3;
const gapsWidth = 3;

/**
 * Places the groups, one below the other. Chooses the largest cells with which every computer has a cell of its own,
 * and otherwise cells that stand for as few computers as possible.
 */
export function layoutOf(
	groups: readonly MapGroup[],
	{ width, lines, hasHalves }: LayoutOptions,
): MapLayout {
	const shown = groupsThatFit(groups, lines);
	const isWide = width >= minWidthForWords;
	const longest = Math.max(0, ...shown.map(({ label }) => label.length));
	const labelWidth = Math.max(minLabelWidth, Math.min(longest, isWide ? maxLabelWidth : 9));
	const most = Math.max(0, ...shown.map(({ rows }) => rows.length));
	const countWidth = most >= 1000 ? 6 : 3;
	const alarmWidth = isWide ? 14 : 5;
	const columns = Math.max(1, width - cellsStart({ labelWidth, countWidth }) - alarmWidth - 1);
	const place = (style: CellStyle, computersPerCell: number): MapLayout | undefined => {
		const cellsPerRow = style === 'spaced' ? Math.max(1, Math.floor(columns / 2)) : columns;
		const perLine = cellsPerRow * (style === 'half' ? 2 : 1) * computersPerCell;
		const heights = shown.map(({ rows }) => Math.max(1, Math.ceil(rows.length / perLine)));
		const needed = heights.reduce((sum, height) => sum + height, 0);
		if (needed > lines && computersPerCell < most) return undefined;
		// A blank line after each group, if there is room for all of them.
		const gap = needed + heights.length - 1 <= lines ? 1 : 0;
		let firstLine = 0;
		const placed = shown.map((group, at): PlacedGroup => {
			const lineCount = heights[at] ?? 1;
			const from = firstLine;
			firstLine += lineCount + gap;
			return { ...group, firstLine: from, lineCount };
		});
		const sizes = { labelWidth, countWidth, alarmWidth };
		return { groups: placed, style, computersPerCell, cellsPerRow, ...sizes };
	};
	const smallest = hasHalves ? 'half' : 'whole';
	const single = place('spaced', 1) ?? place('whole', 1) ?? place(smallest, 1);
	for (let number = 2; ; number += 1) {
		const layout = single ?? place(smallest, number);
		if (layout) return layout;
	}
}

/** Joins the last groups into one if there are more groups than lines. */
function groupsThatFit(groups: readonly MapGroup[], lines: number): readonly MapGroup[] {
	if (groups.length <= Math.max(1, lines)) return groups;
	const kept = groups.slice(0, Math.max(0, lines - 1));
	const others = groups.slice(kept.length);
	const rows = others.flatMap(group => group.rows);
	return [...kept, { value: undefined, label: `${others.length} others`, rows }];
}

/** Returns the column in which the cells of each line begin. */
export const cellsStart = ({
	labelWidth,
	countWidth,
}: Pick<MapLayout, 'labelWidth' | 'countWidth'>) => edgeWidth + labelWidth + countWidth + gapsWidth;

/** Returns the cell at a column and a line of the map; of two cells in one character the upper one. */
export function cellAt(layout: MapLayout, column: number, line: number): CellPlace | undefined {
	const { groups, style, cellsPerRow } = layout;
	const across = column - cellsStart(layout);
	const x = style === 'spaced' ? Math.floor(across / 2) : across;
	if (x < 0 || x >= cellsPerRow) return undefined;
	for (const [at, group] of groups.entries()) {
		const row = line - group.firstLine;
		if (row < 0 || row >= group.lineCount) continue;
		const cell = row * cellsPerRow * (style === 'half' ? 2 : 1) + x;
		return cell < cellCountOf(group, layout) ? { group: at, cell } : undefined;
	}
	return undefined;
}

export const cellCountOf = ({ rows }: MapGroup, { computersPerCell }: MapLayout) =>
	Math.ceil(rows.length / computersPerCell);

/** The place of a cell: the index of its group, and its index within the group. */
export type CellPlace = { group: number; cell: number };
