import type { Screen } from '../../screen/screen.ts';
import { columnsNamed, fullTableWidth } from './fleet-table-text.ts';

const minWidthForSideDetail = 150;

const minSideDetailWidth = 48;
const maxSideDetailWidth = 90;

type DetailPlacement = { place: 'hidden' | 'beside' | 'whole'; width: number };

type Look = Pick<Screen, 'isDetailOpen' | 'map' | 'columns'>;

/**
 * Places the details: beside the table on a wide screen, where they are always in sight, and in place of the table once
 * a person opens them. They show the values of the columns that leave for them. What the table does not need of a wider
 * screen is theirs. The map needs the whole width.
 */
export function detailPlacement(
	{ isDetailOpen, map, columns }: Look,
	width: number,
	accountCount: number,
): DetailPlacement {
	if (isDetailOpen) return { place: 'whole', width };
	if (width < minWidthForSideDetail || map.isOpen) return { place: 'hidden', width: 0 };
	const forTable = fullTableWidth(columnsNamed(columns, accountCount > 1));
	const spare = Math.max(minSideDetailWidth, width - forTable - 1);
	return { place: 'beside', width: Math.min(maxSideDetailWidth, spare) };
}

/** Returns the width that remains for the table beside the details. */
export function tableWidth(look: Look, width: number, accountCount: number): number {
	const { place, width: taken } = detailPlacement(look, width, accountCount);
	return place === 'beside' ? width - taken - 1 : width;
}
