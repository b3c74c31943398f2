import { Box, Text } from 'ink';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { painted } from '../../lines/print.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { emptyTableLines, spareLines } from '../frame/empty-table.ts';
import { completionSuggestion } from '../frame/filter-line.ts';
import { cursorIndex } from '../look/cursor.ts';
import { isMap } from '../look/screen.ts';
import { clickRef, Region } from '../Region.tsx';
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
	lines: readonly (readonly Span[])[];
	cursorLine?: number;
	idAt: (x: number, y: number) => GlobalId | undefined;
};

/** The computers as a table or as a map. */
export function FleetTable({ scene, width, banner }: Props) {
	const { screen, shown, height, theme } = scene;
	const hasMap = isMap(screen) && shown.rows.length > 0;
	const { title, lines, cursorLine, idAt } = hasMap
		? mapContent(scene)
		: tableContent(scene, width);
	const texts = lines.map((spans, at) => {
		const text = painted(fitTo(spans, width), theme);
		return at === cursorLine ? theme.paintCursorRow(text) : text;
	});
	return (
		<Box
			ref={clickRef((x, y) => ({ type: 'row', id: idAt(x, y - 1) }))}
			flexDirection="column"
			width={width}
			height={height}
		>
			<Region lines={[banner ?? title]} theme={theme} />
			<Text wrap="truncate-end">{texts.join('\n')}</Text>
		</Box>
	);
}

function mapContent(scene: Scene): Content {
	const map = mapOf(scene);
	const [title = [], ...lines] = mapLines(map, scene);
	return { title, lines, idAt: (x, y) => cellAt(map, x, y)?.rows[0]?.id };
}

const emptyTableMargin = 4;

function tableContent(scene: Scene, width: number): Content {
	const { screen, shown, firstRow, layout } = scene;
	const { tableRowCount: height } = layout;
	const rows = shown.rows.slice(firstRow, firstRow + height);
	const [title = [], ...rowLines] = tableLines(rows, width, scene);
	const { length: count } = shown.allRows;
	const advice = emptyTableLines(scene, count, completionSuggestion(scene)).flatMap(spans =>
		wrap(spans, width - emptyTableMargin),
	);
	// Where there are few lines, none of them is blank.
	const empty = advice.length > height ? advice.filter(spans => spans.length > 0) : advice;
	const emptyLines = empty.map((spans): readonly Span[] => [['   '], ...spans]);
	const above = rows.length > 0 ? rowLines : emptyLines.slice(0, height);
	// Spare lines are counted below the unfiltered fleet, so that what fills them does not move while a filter hides rows.
	const spare = spareLines(scene, height - Math.max(count, empty.length), width);
	const blankCount = Math.max(0, height - above.length - spare.length);
	return {
		title,
		lines: [...above, ...Array.from({ length: blankCount }, () => []), ...spare],
		cursorLine: cursorIndex(screen, shown.ids) - firstRow,
		idAt: (_, y) => rows[y]?.id,
	};
}
