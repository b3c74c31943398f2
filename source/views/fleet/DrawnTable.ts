import { type DOMElement, measureElement } from 'ink';
import type { GlobalId } from '../../fleet/computers/global-id.ts';

type CellPosition = { x: number; y: number };

/** Finds the computer that a cell of the screen belongs to, in the drawn table or in the drawn map. */
export type DrawnTable = {
	containsCell(cell: CellPosition): boolean;
	/** Returns the id of the computer in whose row or cell of the map the cell is. */
	rowIdAt(cell: CellPosition): GlobalId | undefined;
};

/** Returns the column and the line of a cell within an element, counted from 0; undefined outside the element. */
export function cellWithin(
	element: DOMElement | null,
	cell: CellPosition,
): CellPosition | undefined {
	if (!element) return undefined;
	const { x, y, width, height } = measureElement(element);
	const isInside = cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height;
	return isInside ? { x: cell.x - x, y: cell.y - y } : undefined;
}
