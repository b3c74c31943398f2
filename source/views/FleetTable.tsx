import { Box } from 'ink';
import type { Ordering } from '../fleet/ordering.ts';
import type { Row } from '../store/rows.ts';
import { type Context, columnGap, columnsWithin, type Placed } from './columns.ts';
import { Line } from './Line.tsx';
import { fitted, painted, type Span } from './span.ts';

//    NAME           STATUS        STAGE                                VERSION   UPTIME    CPU    MEM   SEEN
//  ❯ atlas          ● Active                                           1.4.2      6d 4h    12%    41%     2s
// ▪  borealis       ◐ Creating    loading_image ━━━━━━━━━━╸────── 63%  –              –                   1s

type Props = {
	/** The rows in the window. */
	rows: readonly Row[];
	lines: number;
	width: number;
	cursorId: string | undefined;
	marks: ReadonlySet<string>;
	ordering: Ordering;
	context: Context;
	/** What stands in the place of the rows when there are none. */
	empty: readonly (readonly Span[])[];
};

export function FleetTable({
	rows,
	lines,
	width,
	cursorId,
	marks,
	ordering,
	context,
	empty,
}: Props) {
	const { theme } = context;
	const placed = columnsWithin(width - 4);
	const blank = Math.max(0, lines - Math.max(rows.length, empty.length));
	return (
		<Box flexDirection="column" height={lines + 1}>
			<Line text={titles(placed, ordering, context)} />
			{rows.map(row => (
				<Line
					key={row.computer.id}
					text={rowText(
						row,
						placed,
						row.computer.id === cursorId,
						marks.has(row.computer.id),
						context,
					)}
				/>
			))}
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

function titles(placed: readonly Placed[], { by, isReversed }: Ordering, { theme }: Context) {
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
	placed: readonly Placed[],
	isUnderCursor: boolean,
	isMarked: boolean,
	context: Context,
) {
	const { paint, paintCursorRow, glyphs } = context.theme;
	const cells = placed.map(({ column, width }) => {
		const spans = column.cell(row, width, context);
		return painted(fitted(spans, width, context.theme, column.align), context.theme);
	});
	const cursor = isUnderCursor ? paint('accent', glyphs.cursor) : ' ';
	const mark = isMarked ? paint('mark', glyphs.mark) : ' ';
	const text = `${mark}${cursor} ${cells.join(columnGap)} `;
	return isUnderCursor ? paintCursorRow(text) : text;
}
