import { Box, Text } from 'ink';
import Spinner from 'ink-spinner';
import { line, overflowLine, spansOf, windowOf } from '../../lines/line.ts';
import { painted } from '../../lines/print.ts';
import { fitTo, justify, slice } from '../../lines/span.ts';
import { linkTo } from '../../lines/theme.ts';
import { chosenChoiceOf, firstVisibleLine } from '../../views/look/cursor.ts';
import type { OpenText } from '../../views/open-text.ts';
import type { Scene, ViewLine } from '../../views/scene.ts';
import { clickIn, clickRef } from './Region.tsx';

type Props = { scene: Scene; text: OpenText };

export function TextView({ scene, text }: Props) {
	const { screen, height, theme } = scene;
	const { title, lines, width, choiceList } = text;
	const chosenId = chosenChoiceOf(screen, choiceList)?.id;
	const seen = windowOf(lines, firstVisibleLine(screen, choiceList), height - 1);
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
					<Line
						key={String(at)}
						line={each}
						isChosen={each.id !== undefined && each.id === chosenId}
						scene={scene}
						text={text}
					/>
				))}
				{isCut && `\n${painted(fitTo(spansOf(overflowLine(seen)), width), theme)}`}
			</Text>
		</Box>
	);
}

function Line({ line, isChosen, scene, text }: Props & { line: ViewLine; isChosen: boolean }) {
	const { theme, isLowBandwidth } = scene;
	const spans = fitTo(spansOf(line), text.width);
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
	if (!isChosen) return `\n${painted(spans, theme)}`;
	return `\n${theme.paintCursorRow(painted([['❯', 'accent'], ...slice(spans, 1)], theme))}`;
}
