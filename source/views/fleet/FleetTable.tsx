import { Box, Text } from 'ink';
import { painted } from '../../lines/paint.ts';
import { fitTo, type Span } from '../../lines/span.ts';
import { clickRef } from '../clicks.ts';
import { cursorIndex } from '../look/cursor.ts';
import { Region } from '../Region.tsx';
import type { Scene } from '../scene.ts';
import { cellContextsOf } from './cell-context.ts';
import { placedColumns } from './column-widths.ts';
import { rowLine, rowSign, titleLine } from './row-line.ts';

type Props = {
	scene: Scene;
	width: number;
	emptyLines: readonly (readonly Span[])[];
	/** They fill the space below the rows, and stay in place while a filter hides rows. */
	spareRows: readonly string[];
	banner: string | undefined;
};

export function FleetTable({ scene, width, emptyLines, spareRows, banner }: Props) {
	const { accounts, screen, shown, firstRow, layout, theme } = scene;
	const { tableRowCount: height } = layout;
	const { columns: names, orderings, marks } = screen;
	const { fleet: ordering } = orderings;
	const placed = placedColumns(width, names, accounts.length > 1, ordering.by);
	const contextOf = cellContextsOf(scene);
	const cursorId = shown.ids[cursorIndex(screen, shown.ids)];
	const rows = shown.rows.slice(firstRow, firstRow + height);
	const rowTexts = rows.map(row => {
		const isUnderCursor = row.id === cursorId;
		const sign = rowSign(marks.has(row.id), shown.keptIds.has(row.id));
		const text = painted(rowLine(row, placed, contextOf(row), sign, isUnderCursor), theme);
		return isUnderCursor ? theme.paintCursorRow(text) : text;
	});
	const texts =
		rows.length > 0
			? rowTexts
			: emptyLines.slice(0, height).map(spans => painted(fitTo([['   '], ...spans], width), theme));
	const blankCount = Math.max(0, height - texts.length - spareRows.length);
	const blanks = Array.from({ length: blankCount }, () => '');
	return (
		<Box
			ref={clickRef((_, y) => ({ type: 'row', id: rows[y - 1]?.id }))}
			flexDirection="column"
			width={width}
			height={height + 1}
		>
			{banner === undefined ? (
				<Region lines={[titleLine(placed, ordering)]} theme={theme} />
			) : (
				<Text wrap="truncate-end">{banner}</Text>
			)}
			<Text wrap="truncate-end">{[...texts, ...blanks, ...spareRows].join('\n')}</Text>
		</Box>
	);
}
