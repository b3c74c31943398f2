import { type DOMElement, measureElement } from 'ink';
import { type Ref, useImperativeHandle, useRef } from 'react';
import type { GlobalId } from '../../fleet/computers/global-id.ts';

type CellPosition = { x: number; y: number };

export type DrawnTable = {
	containsCell(cell: CellPosition): boolean;
	rowIdAt(cell: CellPosition): GlobalId | undefined;
};

export function useDrawnTable(
	ref: Ref<DrawnTable> | undefined,
	idAt: (x: number, y: number) => GlobalId | undefined,
) {
	const element = useRef<DOMElement>(null);
	useImperativeHandle(ref, () => ({
		containsCell: cell => cellWithin(element.current, cell) !== undefined,
		rowIdAt(cell) {
			const at = cellWithin(element.current, cell);
			return at && idAt(at.x, at.y);
		},
	}));
	return element;
}

/** Counted from the corner of the element; undefined outside it. */
export function cellWithin(
	element: DOMElement | null,
	cell: CellPosition,
): CellPosition | undefined {
	if (!element) return undefined;
	const { x, y, width, height } = measureElement(element);
	const isInside = cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height;
	return isInside ? { x: cell.x - x, y: cell.y - y } : undefined;
}
