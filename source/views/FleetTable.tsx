import { Box, type DOMElement } from 'ink';
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { type DrawnLine, drawnLine } from '../drawing/drawn-line.ts';
import { fitToWidth, paintSpans, type Span } from '../drawing/span.ts';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Ordering } from '../fleet/computers/order-fields.ts';
import type { Theme } from '../lines/theme.ts';
import type { FleetRow } from '../store/selectors.ts';
import type { CellContext } from '../wording/table/cell-context.ts';
import type { PlacedColumn } from '../wording/table/column.ts';
import { createColumnPlacer } from '../wording/table/column-placer.ts';
import { joinedCells, titleCells } from '../wording/table/fleet-table-text.ts';
import { createRowLines } from '../wording/table/row-texts.ts';
import { ClickableLine } from './ClickableLine.tsx';
import { cellWithin, type DrawnTable } from './DrawnTable.ts';
import { Line, Lines } from './Line.tsx';
import { usePreparedPage } from './row-hooks.ts';

//    NAME           STATUS        STAGE                                 CPU    MEM  VERSION   UPTIME   SEEN
//  ❯ atlas          ● Active                                            12%    41%  1.4.2      6d 4h     2s
// ▪  borealis       ◐ Creating    loading image ━━━━━━━━━━╸────── 63%               –              –     1s

type Props = {
	ref?: Ref<DrawnTable> | undefined;
	/** All rows that pass the filter. */
	allRows: readonly FleetRow[];
	/** The index of the first visible row. */
	firstRow: number;
	lines: number;
	width: number;
	cursorId: GlobalId | undefined;
	marks: ReadonlySet<GlobalId>;
	/** The rows that the filter would hide. */
	keptIds: ReadonlySet<GlobalId>;
	ordering: Ordering;
	/** The names of the chosen columns; undefined for the usual ones. */
	columns: readonly string[] | undefined;
	hasSeveralAccounts: boolean;
	contextOf: (row: FleetRow) => CellContext;
	theme: Theme;
	/** The text that is shown when there are no rows. */
	emptyLines: readonly (readonly Span[])[];
	/** The lines that fill the space below the rows. They stay in place while a filter hides rows. */
	spareRows: readonly string[];
	/** An alarm that is shown instead of the column titles. */
	banner: string | undefined;
};

/** The table of the computers, with its rules and spare rows. */
export function FleetTable({
	ref,
	allRows,
	firstRow,
	lines,
	width,
	cursorId,
	marks,
	keptIds,
	ordering,
	columns,
	hasSeveralAccounts,
	contextOf,
	theme,
	emptyLines: empty,
	spareRows,
	banner,
}: Props) {
	const [placedOf] = useState(createColumnPlacer);
	const placed = useMemo(
		() => placedOf(width, columns, hasSeveralAccounts, ordering.by),
		[placedOf, width, columns, hasSeveralAccounts, ordering.by],
	);
	const [lineOf] = useState(createRowLines);
	const titles = useMemo(() => titlesLine(placed, ordering, theme), [placed, ordering, theme]);
	const rows = allRows.slice(firstRow, firstRow + lines);
	const textOf = (row: FleetRow) =>
		lineOf(row, {
			placed,
			context: contextOf(row),
			isUnderCursor: row.id === cursorId,
			sign: signOf(row.id, marks, keptIds, theme),
		});
	usePreparedPage(allRows, firstRow, lines, textOf);
	const whole = useRef<DOMElement>(null);
	useImperativeHandle(
		ref,
		() => ({
			containsCell: cell => cellWithin(whole.current, cell) !== undefined,
			// The titles stand in the first line.
			rowIdAt: cell => rows[(cellWithin(whole.current, cell)?.y ?? 0) - 1]?.id,
		}),
		[rows],
	);
	const blank = Math.max(0, lines - Math.max(rows.length, empty.length) - spareRows.length);
	return (
		<Box ref={whole} flexDirection="column" width={width} height={lines + 1}>
			{banner === undefined ? <ClickableLine line={titles} /> : <Line text={banner} />}
			<Lines texts={rows.map(textOf)} />
			{rows.length === 0 &&
				empty
					.slice(0, lines)
					.map((spans, at) => (
						<Line
							key={String(at)}
							text={paintSpans(fitToWidth([['   '], ...spans], width, theme), theme)}
						/>
					))}
			{blank > 0 && <Box height={blank} />}
			<Lines texts={spareRows} />
		</Box>
	);
}

function titlesLine(placed: readonly PlacedColumn[], ordering: Ordering, theme: Theme): DrawnLine {
	const spans = joinedCells(titleCells(placed, ordering, theme), placed, theme);
	return drawnLine([['   '], ...spans, [' ']], theme);
}

function signOf(
	id: GlobalId,
	marks: Props['marks'],
	keptIds: Props['keptIds'],
	{ paint, glyphs }: Theme,
): string {
	if (marks.has(id)) return paint('mark', glyphs.mark);
	return keptIds.has(id) ? paint('faint', glyphs.kept) : ' ';
}
