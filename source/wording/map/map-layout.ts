import type { Ruler } from '../../lines/glyphs.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { MapGroup } from './map-groups.ts';

/**
 * How cells are drawn. A `named` cell contains the name of its computer, `wide` and `spaced` cells have a gap after
 * them, a `whole` cell is one character, and `half` cells share a character, one above the other.
 */
type CellStyle = 'named' | 'wide' | 'spaced' | 'whole' | 'half';

export type MapLayout = {
	groups: readonly PlacedGroup[];
	style: CellStyle;
	/** The number of computers that a cell stands for. */
	computersPerCell: number;
	/** The number of cells in a row of cells. */
	cellsPerRow: number;
	/** The columns that a cell takes, with the gap after it. */
	cellWidth: number;
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
	ruler: Ruler;
};

const minLabelWidth = 7;
const maxLabelWidth = 16;
const minWidthForWords = 76;

// The columns before each label, where the cursor is drawn, and the gaps around the number of computers.
const edgeWidth = 3;
const gapsWidth = 3;

/**
 * Places the groups, one below the other. Chooses the largest cells with which every computer has a cell of its own,
 * and otherwise cells that stand for as few computers as possible.
 */
export function mapLayoutFor(
	groups: readonly MapGroup[],
	{ width, lines, hasHalves, ruler }: LayoutOptions,
): MapLayout {
	const shown = groupsThatFit(groups, lines);
	const isWide = width >= minWidthForWords;
	const longest = Math.max(0, ...shown.map(({ label }) => label.length));
	const labelWidth = Math.max(minLabelWidth, Math.min(longest, isWide ? maxLabelWidth : 9));
	const most = Math.max(0, ...shown.map(({ rows }) => rows.length));
	const countWidth = most >= 1000 ? 6 : 3;
	const alarmWidth = isWide ? 14 : 5;
	const columns = Math.max(1, width - firstCellColumn({ labelWidth, countWidth }) - alarmWidth - 1);
	const place = (style: CellStyle, computersPerCell: number): MapLayout | undefined => {
		const cellWidth = style === 'named' ? namedWidth : cellWidths[style];
		const cellsPerRow = Math.max(1, Math.floor((columns + gapAfter(style)) / cellWidth));
		const perLine = cellsPerRow * (style === 'half' ? 2 : 1) * computersPerCell;
		const heights = shown.map(({ rows }) => Math.max(1, Math.ceil(rows.length / perLine)));
		const needed = heights.reduce((sum, height) => sum + height, 0);
		// A blank line after each group, if there is room for all of them.
		const gap = needed + heights.length - 1 <= lines ? 1 : 0;
		const isLarge = style === 'named' || style === 'wide';
		if (isLarge && (gap === 0 || cellWidth > columns)) return undefined;
		if (needed > lines && computersPerCell < most) return undefined;
		let firstLine = 0;
		const placed = shown.map((group, at): PlacedGroup => {
			const lineCount = heights[at] ?? 1;
			const from = firstLine;
			firstLine += lineCount + gap;
			return { ...group, firstLine: from, lineCount };
		});
		const sizes = { labelWidth, countWidth, alarmWidth };
		return { groups: placed, style, computersPerCell, cellsPerRow, cellWidth, ...sizes };
	};
	const smallest = hasHalves ? 'half' : 'whole';
	const canBeNamed = countOf(shown) <= lines * maxNamesPerLine;
	const namedWidth = canBeNamed ? namedCellWidth(shown, ruler) : 0;
	const large = (canBeNamed ? place('named', 1) : undefined) ?? place('wide', 1);
	const single = large ?? place('spaced', 1) ?? place('whole', 1) ?? place(smallest, 1);
	for (let number = 2; ; number += 1) {
		const layout = single ?? place(smallest, number);
		if (layout) return layout;
	}
}

const cellWidths = { wide: 3, spaced: 2, whole: 1, half: 1 } as const;

/** The blanks after the last cell of a row that may stand in the column which is kept free before the right edge. */
const gapAfter = (style: CellStyle) => (style === 'whole' || style === 'half' ? 0 : 1);

const namedGap = 2;
const minNameWidth = 8;
const maxNameWidth = 16;

// If each line has more computers than this, their names cannot fit, so they are not measured.
const maxNamesPerLine = 24;

const countOf = (groups: readonly MapGroup[]) =>
	groups.reduce((sum, { rows }) => sum + rows.length, 0);

/**
 * Returns the width of a cell with a sign, a name and the gap after the name. The width depends only on the names.
 */
function namedCellWidth(groups: readonly MapGroup[], ruler: Ruler): number {
	let longest = minNameWidth;
	for (const { rows } of groups) {
		for (const row of rows) longest = Math.max(longest, ruler.width(nameInCell(row)));
	}
	return signWidth + Math.min(longest, maxNameWidth) + namedGap;
}

/** The width of the sign before a name, with a blank. */
const signWidth = 2;

/** Returns the width of the name in a cell of this width. */
export const nameWidthOfCell = ({ cellWidth }: Pick<MapLayout, 'cellWidth'>) =>
	cellWidth - signWidth - namedGap;

export const nameInCell = ({ computer }: FleetRow) => computer.reading.name ?? computer.id;

/** Joins the last groups into one if there are more groups than lines. */
function groupsThatFit(groups: readonly MapGroup[], lines: number): readonly MapGroup[] {
	if (groups.length <= Math.max(1, lines)) return groups;
	const kept = groups.slice(0, Math.max(0, lines - 1));
	const others = groups.slice(kept.length);
	const rows = others.flatMap(group => group.rows);
	return [...kept, { value: undefined, label: `${others.length} others`, rows }];
}

/** Returns the column in which the cells of each line begin. */
export const firstCellColumn = ({
	labelWidth,
	countWidth,
}: Pick<MapLayout, 'labelWidth' | 'countWidth'>) => edgeWidth + labelWidth + countWidth + gapsWidth;

/** Returns the cell at a column and a line of the map. If two cells share a character, the upper cell is returned. */
export function cellAt(layout: MapLayout, column: number, line: number): CellPlace | undefined {
	const { groups, style, cellsPerRow, cellWidth } = layout;
	const across = column - firstCellColumn(layout);
	const x = Math.floor(across / cellWidth);
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
