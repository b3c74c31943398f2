import { Box, type DOMElement } from 'ink';
import { memo, useContext, useLayoutEffect, useRef } from 'react';
import type { DrawnLine } from '../drawing/drawn-line.ts';
import type { Click } from '../screen/click.ts';
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
				: areas?.add({
						element: () => element.current,
						clickAt: x => zones.find(({ from, to }) => x >= from && x < to)?.click as Click,
						isInDialog,
					}),
		[areas, zones, isInDialog],
	);
	return (
		<Box ref={element}>
			<Line text={text} />
		</Box>
	);
});
