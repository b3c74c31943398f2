import type { Screen } from '../../screen/screen.ts';
import { columnsNamed, fullTableWidth } from './fleet-table-text.ts';

const minWidthForSideDetail = 150;

const minSideDetailWidth = 48;
const maxSideDetailWidth = 90;

type DetailPlacement = { place: 'hidden' | 'beside' | 'whole'; width: number };

type Look = Pick<Screen, 'isDetailOpen' | 'map' | 'columns'>;

/**
 * Places the details. On a wide screen they are always beside the table, and get the room that the table does not
 * need. On other screens they replace the table while they are open. The map needs the whole width, so nothing is
 * beside it.
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
