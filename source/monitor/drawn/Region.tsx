import { Box, type DOMElement, measureElement, Text } from 'ink';
import { painted } from '../../lines/print.ts';
import { cellsOf, type Span } from '../../lines/span.ts';
import type { Theme } from '../../lines/theme.ts';
import type { Click } from '../../views/look/moves.ts';

type Props = {
	lines: readonly (readonly Span[])[];
	theme: Theme;
};

export function Region({ lines, theme }: Props) {
	return (
		<Box ref={clickRef((x, y) => clickIn(lines[y] ?? [], x))}>
			<Text wrap="truncate-end">{lines.map(spans => painted(spans, theme)).join('\n')}</Text>
		</Box>
	);
}

type ClickAt = (x: number, y: number) => Click | undefined;

const clickAtOf = new WeakMap<DOMElement, ClickAt>();

/** The ref of a box in which each cell, counted from its corner, may do something when it is clicked. */
export const clickRef = (clickAt: ClickAt) => (element: DOMElement | null) => {
	if (element) clickAtOf.set(element, clickAt);
};

/** The innermost box comes first. */
export function clicksAt(
	element: DOMElement | null,
	cell: { x: number; y: number },
): readonly Click[] {
	if (!element) return [];
	const { x, y, width, height } = measureElement(element);
	const isInside = cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height;
	if (!isInside) return [];
	const inner = element.childNodes.flatMap(child =>
		child.nodeName === 'ink-box' ? clicksAt(child, cell) : [],
	);
	const click = clickAtOf.get(element)?.(cell.x - x, cell.y - y);
	return click ? [...inner, click] : inner;
}

export function clickIn(spans: readonly Span[], x: number): Click | undefined {
	let end = 0;
	const span = spans.find(([text]) => {
		end += cellsOf(text);
		return x < end;
	});
	return span?.[2] as Click | undefined;
}
