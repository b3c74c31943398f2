import type { Layout } from '../../views/layout.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Theme } from '../../lines/theme.ts';
import type { CellMap } from '../../screen/cell-map.ts';
import { cursorIndex, type Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { CellContext } from '../table/cell-context.ts';
import type { VisibleRows } from '../table/visible-rows.ts';
import { cellPlaceOf, createCellMap, rowsInCell } from './cell-map.ts';
import { mapCursorLine, mapLegendLine, mapTitleLine } from './map-captions.ts';
import { hasBlocks } from './map-cells.ts';
import { createMapGroups, type MapGroup } from './map-groups.ts';
import { cellAt, mapLayoutFor } from './map-layout.ts';
import { createGroupLevels, fleetAgesOf } from './map-levels.ts';
import { createMapLines } from './map-lines.ts';

type FleetMapOptions = {
	accounts: readonly OpenedAccount[];
	shown: VisibleRows;
	screen: Screen;
	width: number;
	/** The number of lines for the whole map, with its title and its legend. */
	lines: number;
	now: number;
	theme: Theme;
};

type TextOptions = FleetMapOptions & {
	bindings: readonly Binding[];
	contextOf: (row: FleetRow) => CellContext;
};

/** The lines of the drawn map, from top to bottom, and a function that finds the computer of a cell. */
export type FleetMapText = {
	lines: readonly string[];
	/** Returns the computer at a column and a line of the map. */
	idAt: (column: number, line: number) => GlobalId | undefined;
};

export type FleetMap = {
	textOf: (options: TextOptions) => FleetMapText;
	cellMapOf: (options: FleetMapOptions) => CellMap;
};

/** Returns the size of the map, which is that of the table that it replaces. */
export function mapSizeOf(layout: Extract<Layout, { isTooSmall: false }>) {
	return { width: layout.columns, lines: layout.tableRowCount + 1 };
}

// The lines for the title, the legend of the colours, and the computer under the cursor. A short screen has no legend.
const linesAround = (lines: number) => (lines < 8 ? 2 : 3);

/**
 * Creates the map of the fleet, which keeps what it drew: only the lines with a changed cell are composed again.
 *
 *  by location, coloured by status                            ■ is a computer
 *    eu-north  1,204  ■■■■■■■■■✖■■■■■■■■■□□□■■■■■■■■■■■■■■■■■■■■■■■    7 error
 *    us-east     812  ■■■■■■■■■■■■■■■■■■■■■✖✖✖✖■■■■■■■■■■■■■■■■■■■   41 error
 *  ✖ error  ■ unknown  ■ changing  ■ old data  ■ active  ■ stopped
 *  ❯ vega-12  ● Active  2s old  CPU 96%  1.3.9 ↑      f filter  b group  c colour  m table
 *
 * The cells of a small fleet have names:
 *
 *    eu-north      3  ✖ draco     ■ vega      ■ lyra                   1 error
 */
export function createFleetMap(): FleetMap {
	const groupsOf = createMapGroups();
	const levels = createGroupLevels();
	const linesOf = createMapLines();
	const placed = memoize(
		(groups: readonly MapGroup[], width: number, lines: number, theme: Theme) =>
			mapLayoutFor(groups, { width, lines, hasHalves: hasBlocks(theme), ruler: theme.ruler }),
	);
	const placeIn = memoize(cellPlaceOf);
	const agesAt = memoize(fleetAgesOf);

	function modelOf({ accounts, shown, screen, width, lines, now, theme }: FleetMapOptions) {
		const { grouping, colouring } = screen.map;
		const groups = groupsOf({ ...shown, accounts, grouping });
		const layout = placed(groups, width, Math.max(1, lines - linesAround(lines)), theme);
		const ages = agesAt(accounts, now);
		const levelsOf = ({ label, rows }: MapGroup) =>
			levels(`${grouping} ${label}`, rows, colouring, ages);
		return { layout, levelsOf };
	}

	return {
		textOf(options) {
			const { shown, screen, lines, theme } = options;
			const { layout, levelsOf } = modelOf(options);
			const cursorId = shown.ids[cursorIndex(screen, shown.ids)];
			const cursor = placeIn(layout, cursorId);
			const mapLines = Math.max(1, lines - linesAround(lines));
			const { colouring } = screen.map;
			const drawn = linesOf({
				layout,
				colouring,
				levelsOf,
				cursor,
				theme,
				marks: screen.marks,
				lines: mapLines,
			});
			const row = shown.rows[cursorIndex(screen, shown.ids)];
			const inCell = cursor ? rowsInCell(layout, cursor).length : 0;
			const below = [
				...(linesAround(lines) > 2 ? [mapLegendLine(options)] : []),
				mapCursorLine(row, inCell, options),
			];
			return {
				lines: [mapTitleLine(layout, options), ...drawn, ...below],
				// The first line is the title.
				idAt(column, line) {
					const place = cellAt(layout, column, line - 1);
					return place && rowsInCell(layout, place)[0]?.id;
				},
			};
		},
		cellMapOf(options) {
			const { accounts, screen, shown } = options;
			const { grouping } = screen.map;
			return createCellMap({ ...modelOf(options), ...shown, grouping, accounts });
		},
	};
}
