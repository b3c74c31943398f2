import { Box, Text } from 'ink';
import { painted } from '../../lines/print.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { tableLines } from '../../views/fleet/columns.ts';
import { headingLine, mapLines } from '../../views/fleet/map.ts';
import { emptyTableLines, spareLines } from '../../views/frame/empty-table.ts';
import { completionSuggestion } from '../../views/frame/footer.ts';
import { computersIn, cursorIndex, isHeading } from '../../views/look/cursor.ts';
import type { Click } from '../../views/look/moves.ts';
import { isMap } from '../../views/look/screen.ts';
import type { Scene } from '../../views/scene.ts';
import { clickIn, clickRef } from './Region.tsx';

type Props = {
	scene: Scene;
	width: number;
	/** Stands in the place of the titles. */
	banner: readonly Span[] | undefined;
};

export function FleetTable({ scene, width, banner }: Props) {
	const { screen, shown, firstRow, height, theme } = scene;
	const hasMap = isMap(screen) && shown.rows.length > 0;
	const [title = [], ...others] = hasMap ? mapLines(scene) : linesOfTable(scene, width);
	const lines = [banner ?? title, ...others].map(spans => fitTo(spans, width));
	const cursorLine = hasMap ? undefined : cursorIndex(screen, shown.lines) - firstRow + 1;
	const texts = lines.map((spans, at) => {
		const text = painted(spans, theme);
		return at > 0 && at === cursorLine ? theme.paintCursorRow(text) : text;
	});
	const rowAt = (y: number): Click => {
		const line = hasMap || y === 0 ? undefined : shown.lines[firstRow + y - 1];
		return { type: 'row', id: line?.id };
	};
	return (
		<Box
			ref={clickRef((x, y) => clickIn(lines[y] ?? [], x) ?? rowAt(y))}
			flexDirection="column"
			width={width}
			height={height}
		>
			<Text wrap="truncate-end">{texts.join('\n')}</Text>
		</Box>
	);
}

const emptyTableMargin = 4;

function linesOfTable(scene: Scene, width: number): readonly (readonly Span[])[] {
	const { shown, firstRow, layout } = scene;
	const { tableRowCount: height } = layout;
	const inSight = shown.lines.slice(firstRow, firstRow + height);
	const rows = computersIn(inSight);
	const [title = [], ...drawn] = tableLines(rows, width, scene);
	const rowLines = inSight.map(
		line => (isHeading(line) ? headingLine(line, scene) : drawn[rows.indexOf(line)]) ?? [],
	);
	const headingCount = shown.lines.filter(isHeading).length;
	const { length: count } = shown.allRows;
	const advice = emptyTableLines(scene, count, completionSuggestion(scene)).flatMap(spans =>
		wrap(spans, width - emptyTableMargin),
	);
	// Where there are few lines, none of them is blank.
	const empty = advice.length > height ? advice.filter(spans => spans.length > 0) : advice;
	const emptyLines = empty.map((spans): readonly Span[] => [['   '], ...spans]);
	const above = inSight.length > 0 ? rowLines : emptyLines.slice(0, height);
	// Spare lines are counted below the unfiltered fleet, so that what fills them does not move while a filter hides rows.
	const spare = spareLines(scene, height - Math.max(count + headingCount, empty.length), width);
	const blankCount = Math.max(0, height - above.length - spare.length);
	return [title, ...above, ...Array.from({ length: blankCount }, () => []), ...spare];
}
