import { Box, type DOMElement, Text } from 'ink';
import { useContext, useLayoutEffect, useRef } from 'react';
import { useLatest } from '../keys/latest-value.ts';
import { cellsOf } from '../lines/measure.ts';
import { painted } from '../lines/paint.ts';
import type { Span } from '../lines/span.ts';
import type { Theme } from '../lines/theme.ts';
import type { Click } from '../screen/click.ts';
import { ClickAreasContext } from './click-areas.ts';

type Props = {
	lines: readonly (readonly Span[])[];
	theme: Theme;
	isInDialog?: boolean;
};

/** Lines below each other, whose spans react to clicks. */
export function Region({ lines, theme, isInDialog = false }: Props) {
	const areas = useContext(ClickAreasContext);
	const element = useRef<DOMElement>(null);
	const latest = useLatest(lines);
	useLayoutEffect(
		() =>
			areas?.add({
				element: () => element.current,
				clickAt: (x, y) => clickIn(latest.current[y] ?? [], x),
				isInDialog,
			}),
		[areas, latest, isInDialog],
	);
	const text = lines.map(spans => painted(spans, theme)).join('\n');
	return (
		<Box ref={element}>
			<Text wrap="truncate-end">{text}</Text>
		</Box>
	);
}

/** Returns what a click on a cell of a line does. */
function clickIn(spans: readonly Span[], x: number): Click | undefined {
	let end = 0;
	const span = spans.find(([text]) => {
		end += cellsOf(text);
		return x < end;
	});
	return span?.[2] as Click | undefined;
}
