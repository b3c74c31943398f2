import { Box, Text } from 'ink';
import Spinner from 'ink-spinner';
import { memo } from 'react';
import { line, spansOf } from '../lines/line.ts';
import { painted } from '../lines/print.ts';
import { fitTo, justify, type Span, slice } from '../lines/span.ts';
import { linkTo, type Theme } from '../lines/theme.ts';
import { overflowLine, windowOf } from '../lines/window.ts';
import { clickIn, clickRef } from './clicks.ts';
import type { ViewLine } from './view.ts';

//  Versions                                                   read 12m ago     does not scroll
//  Latest  1.4.2  stable, released 2026-11-14                                  scrolls
//   VERSION   COMPUTERS
// ❯ 1.4.2            17  ━━━━━━━━━━━━━━━━━━━━╸───
//  ▼ 3 more lines                                                              if not every line fits

type Props = {
	title: readonly [left: readonly Span[], right: readonly Span[]];
	lines: readonly ViewLine[];
	firstLine: number;
	chosenId: string | undefined;
	width: number;
	/** With the title. */
	height: number;
	isLowBandwidth: boolean;
	theme: Theme;
};

export const TextView = memo(function TextView(props: Props) {
	const { title, lines, firstLine, width, height, theme } = props;
	const seen = windowOf(lines, firstLine, height - 1);
	const isCut = seen.above + seen.below > 0 && height > 1;
	return (
		<Box
			ref={clickRef((x, y) => clickIn(spansOf(seen.lines[y - 1] ?? line()), x))}
			width={width}
			height={height}
		>
			<Text wrap="truncate-end">
				{painted(justify([[' '], ...title[0]], title[1], width), theme)}
				{seen.lines.map((each, at) => (
					<ViewLineText key={String(at)} line={each} {...props} />
				))}
				{isCut && `\n${painted(fitTo(spansOf(overflowLine(seen)), width), theme)}`}
			</Text>
		</Box>
	);
});

function ViewLineText({
	line,
	chosenId,
	width,
	isLowBandwidth,
	theme,
}: Props & { line: ViewLine }) {
	const spans = fitTo(spansOf(line), width);
	if (line.isWaiting && !isLowBandwidth) {
		return (
			<>
				{'\n'}
				<Spinner type={theme.spinner} />
				{painted(slice(spans, 1), theme)}
			</>
		);
	}
	if (line.url) return `\n${linkTo(painted(spans, theme), line.url)}`;
	if (line.id === undefined || line.id !== chosenId) return `\n${painted(spans, theme)}`;
	return `\n${theme.paintCursorRow(painted([['❯', 'accent'], ...slice(spans, 1)], theme))}`;
}
