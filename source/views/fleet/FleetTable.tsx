import { Box, Text } from 'ink';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { painted } from '../../lines/print.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { clickRef } from '../clicks.ts';
import { emptyTableLines, spareLines } from '../frame/empty-table.ts';
import { completionSuggestion } from '../frame/filter-line.ts';
import { rowUnderCursor } from '../look/cursor.ts';
import { isMap } from '../look/screen.ts';
import { Region } from '../Region.tsx';
import type { Scene } from '../scene.ts';
import { tableLines } from './columns.ts';
import { cellAt, mapLines, mapOf } from './map.ts';

type Props = {
	scene: Scene;
	width: number;
	/** Stands in the place of the titles. */
	banner: readonly Span[] | undefined;
};

type Content = {
	title: readonly Span[];
	/** They are painted, because the row under the cursor has a background. */
	lines: readonly string[];
	idAt: (x: number, y: number) => GlobalId | undefined;
};

/** The computers as a table or as a map. */
export function FleetTable({ scene, width, banner }: Props) {
	const { screen, shown, height, theme } = scene;
	const hasMap = isMap(screen) && shown.rows.length > 0;
	const { title, lines, idAt } = hasMap ? mapContent(scene) : tableContent(scene, width);
	return (
		<Box
			ref={clickRef((x, y) => ({ type: 'row', id: idAt(x, y - 1) }))}
			flexDirection="column"
			width={width}
			height={height}
		>
			<Region lines={[banner ?? title]} theme={theme} />
			<Text wrap="truncate-end">{lines.join('\n')}</Text>
		</Box>
	);
}

function mapContent(scene: Scene): Content {
	const map = mapOf(scene);
	const [title = [], ...lines] = mapLines(map, scene);
	return {
		title,
		lines: lines.map(spans => painted(fitTo(spans, scene.width), scene.theme)),
		idAt: (x, y) => cellAt(map, x, y)?.rows[0]?.id,
	};
}

const emptyTableMargin = 4;

function tableContent(scene: Scene, width: number): Content {
	const { shown, firstRow, layout, theme } = scene;
	const { tableRowCount: height } = layout;
	const rows = shown.rows.slice(firstRow, firstRow + height);
	const [title = [], ...rowLines] = tableLines(rows, width, scene);
	const cursor = rowUnderCursor(scene);
	const rowTexts = rowLines.map((spans, at) => {
		const text = painted(fitTo(spans, width), theme);
		return rows[at] === cursor ? theme.paintCursorRow(text) : text;
	});
	const { length: count } = shown.allRows;
	const advice = emptyTableLines(scene, count, completionSuggestion(scene)).flatMap(spans =>
		wrap(spans, width - emptyTableMargin),
	);
	// Where there are few lines, none of them is blank.
	const empty = advice.length > height ? advice.filter(spans => spans.length > 0) : advice;
	const emptyTexts = empty.map(spans => painted(fitTo([['   '], ...spans], width), theme));
	const texts = rows.length > 0 ? rowTexts : emptyTexts.slice(0, height);
	// Spare lines are counted below the unfiltered fleet, so that what fills them does not move while a filter hides rows.
	const spare = spareLines(scene, height - Math.max(count, empty.length), width);
	const blankCount = Math.max(0, height - texts.length - spare.length);
	return {
		title,
		lines: [
			...texts,
			...Array.from({ length: blankCount }, () => ''),
			...spare.map(spans => painted(spans, theme)),
		],
		idAt: (_, y) => rows[y]?.id,
	};
}
