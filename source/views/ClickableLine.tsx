import { Box, type DOMElement } from 'ink';
import { memo, useContext, useLayoutEffect, useRef } from 'react';
import type { DrawnLine } from '../drawing/drawn-line.ts';
import type { Span } from '../lines/span.ts';
import { ClickAreasContext } from './click-areas.ts';
import { Line } from './Line.tsx';

type Props = { line: DrawnLine; isInDialog?: boolean };

/** One line of the screen with parts that react to clicks. It renders again only when the line is another object. */
export const ClickableLine = memo(function ClickableLine({
	line: { text, zones },
	isInDialog = false,
}: Props) {
	const areas = useContext(ClickAreasContext);
	const element = useRef<DOMElement>(null);
	useLayoutEffect(
		() =>
			zones.length === 0
				? undefined
				: areas?.add({ element: () => element.current, lineAt: () => spansOf(zones), isInDialog }),
		[areas, zones, isInDialog],
	);
	return (
		<Box ref={element}>
			<Line text={text} />
		</Box>
	);
});

/** The zones of a line as spans of blanks. */
function spansOf(zones: DrawnLine['zones']): readonly Span[] {
	let at = 0;
	return zones.flatMap(({ from, to, click }): readonly Span[] => {
		const gap = ' '.repeat(from - at);
		at = to;
		return [[gap], [' '.repeat(to - from), undefined, click]];
	});
}
