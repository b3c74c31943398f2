import { Box, type DOMElement, measureElement } from 'ink';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { fitted, painted, type Span } from '../drawing/span.ts';
import type { Ordering } from '../fleet/ordering.ts';
import type { Row } from '../store/selectors.ts';
import type { CellContext } from '../wording/cell-context.ts';
import {
	columnGap,
	columnsNamed,
	columnsWithin,
	type PlacedColumn,
} from '../wording/column-layout.ts';
import type { Column } from '../wording/columns.ts';
import { Line } from './Line.tsx';

//    NAME           STATUS        STAGE                                VERSION   UPTIME    CPU    MEM   SEEN
//  ❯ atlas          ● Active                                           1.4.2      6d 4h    12%    41%     2s
// ▪  borealis       ◐ Creating    loading_image ━━━━━━━━━━╸────── 63%  –              –                   1s

type Cell = { x: number; y: number };

/** Finds what lies under a cell of the screen, from the layout that drew the table. */
export type TablePlace = {
	isAt(cell: Cell): boolean;
	/** The computer whose row has the cell. */
	idAt(cell: Cell): string | undefined;
};

type Props = {
	ref?: Ref<TablePlace> | undefined;
	/** The rows that are seen. */
	rows: readonly Row[];
	lines: number;
	width: number;
	cursorId: string | undefined;
	marks: ReadonlySet<string>;
	ordering: Ordering;
	/** The names of the columns, if not the usual ones. */
	columns: readonly string[] | undefined;
	context: CellContext;
	/** The text that is shown when there are no rows. */
	empty: readonly (readonly Span[])[];
	/** An alarm that takes the place of the titles. */
	banner: string | undefined;
};

export function FleetTable({
	ref,
	rows,
	lines,
	width,
	cursorId,
	marks,
	ordering,
	columns,
	context,
	empty,
	banner,
}: Props) {
	const { theme } = context;
	const placed = columnsWithin(width - 4, columnsNamed(columns));
	const whole = useRef<DOMElement>(null);
	const body = useRef<DOMElement>(null);
	useImperativeHandle(
		ref,
		() => ({
			isAt: cell => lineIn(whole.current, cell) !== undefined,
			idAt: cell => rows[lineIn(body.current, cell) ?? -1]?.computer.id,
		}),
		[rows],
	);
	const blank = Math.max(0, lines - Math.max(rows.length, empty.length));
	return (
		<Box ref={whole} flexDirection="column" width={width} height={lines + 1}>
			<Line text={banner ?? titles(placed, ordering, context)} />
			<Box ref={body} flexDirection="column">
				{rows.map((row, at) => (
					<Line
						// Keyed by position: changing the text of a line costs less than creating a line.
						key={String(at)}
						text={rowText(
							row,
							placed,
							row.computer.id === cursorId,
							marks.has(row.computer.id),
							context,
						)}
					/>
				))}
			</Box>
			{rows.length === 0 &&
				empty
					.slice(0, lines)
					.map((spans, at) => (
						<Line
							key={String(at)}
							text={painted(fitted([['   '], ...spans], width, theme), theme)}
						/>
					))}
			<Box height={blank} />
		</Box>
	);
}

/** The line of an element that has the cell. */
function lineIn(element: DOMElement | null, cell: Cell): number | undefined {
	if (!element) return undefined;
	const { x, y, width, height } = measureElement(element);
	const isInside = cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height;
	return isInside ? cell.y - y : undefined;
}

function titles(
	placed: readonly PlacedColumn[],
	{ by, isReversed }: Ordering,
	{ theme }: CellContext,
) {
	const cells = placed.map(({ column, width }) => {
		const isOrdering = column.field === by;
		const sign = isReversed ? theme.glyphs.descending : theme.glyphs.ascending;
		const title: Span = [isOrdering ? `${column.title}${sign}` : column.title, 'faint'];
		return painted(fitted([title], width, theme, column.align), theme);
	});
	return `   ${cells.join(columnGap)} `;
}

function rowText(
	row: Row,
	placed: readonly PlacedColumn[],
	isUnderCursor: boolean,
	isMarked: boolean,
	context: CellContext,
) {
	const { paint, paintCursorRow, glyphs } = context.theme;
	const hasAge = placed.some(({ column }) => column.showsAge);
	const cells = placed.map(({ column, width }) => {
		const spans = agedSpans(row, column, column.cell(row, width, context), hasAge, context);
		return painted(fitted(spans, width, context.theme, column.align), context.theme);
	});
	const cursor = isUnderCursor ? paint('accent', glyphs.cursor) : ' ';
	const mark = isMarked ? paint('mark', glyphs.mark) : ' ';
	const text = `${mark}${cursor} ${cells.join(columnGap)} `;
	return isUnderCursor ? paintCursorRow(text) : text;
}

/** Greys out an old row: its colours would claim to show the present state. */
function agedSpans(
	row: Row,
	{ marksOldRows, showsOperation }: Column,
	spans: readonly Span[],
	hasAge: boolean,
	{ ageOf, theme }: CellContext,
): readonly Span[] {
	const age = ageOf(row);
	const isAsked = showsOperation && row.operation !== undefined;
	const mark: readonly Span[] =
		marksOldRows && !hasAge && age !== 'fresh' ? [[theme.glyphs.old, 'busy']] : [];
	const aged = age === 'old' && !isAsked ? spans.map(([text]): Span => [text, 'faint']) : spans;
	return [...mark, ...aged];
}
