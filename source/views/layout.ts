import { fullTableWidth } from './fleet/columns.ts';
import type { Screen } from './look/screen.ts';

export type Layout = {
	columns: number;
	rows: number;
	isTooSmall: boolean;
	hasCounts: boolean;
	hasRuleAbove: boolean;
	hasRuleBelow: boolean;
	hasActivity: boolean;
	/** Without the line of titles. */
	tableRowCount: number;
};

export const minScreenSize = { columns: 30, rows: 6 };

/** The extra rules above the table take their lines from it. */
export function layoutFor(columns: number, rows: number, extraRuleCount = 0): Layout {
	const hasCounts = rows >= 8;
	const hasActivity = rows >= 9;
	const hasRuleAbove = rows >= 11;
	const hasRuleBelow = rows >= 16;
	// The title, the column titles and the keys are always shown.
	const ruleCount = (hasRuleAbove ? 1 + extraRuleCount : 0) + Number(hasRuleBelow);
	const around = 3 + Number(hasCounts) + ruleCount + Number(hasActivity);
	return {
		columns,
		rows,
		isTooSmall: columns < minScreenSize.columns || rows < minScreenSize.rows,
		hasCounts,
		hasRuleAbove,
		hasRuleBelow,
		hasActivity,
		tableRowCount: Math.max(0, rows - around),
	};
}

const minWidthForSideDetail = 150;
const minSideDetailWidth = 48;
const maxSideDetailWidth = 90;

type DetailPlacement = { place: 'hidden' | 'beside' | 'whole'; width: number };

type Look = Pick<Screen, 'isDetailOpen' | 'map' | 'columns'>;

/** On a wide screen the details are beside the table, in the room that it does not need. The map needs the whole width. */
export function detailPlacement(
	{ isDetailOpen, map, columns: names }: Look,
	width: number,
	accountCount: number,
): DetailPlacement {
	if (isDetailOpen) return { place: 'whole', width };
	if (width < minWidthForSideDetail || map.isOpen) return { place: 'hidden', width: 0 };
	const spare = width - fullTableWidth(names, accountCount > 1) - 1;
	const taken = Math.min(maxSideDetailWidth, Math.max(minSideDetailWidth, spare));
	return { place: 'beside', width: taken };
}

export function tableWidth(look: Look, width: number, accountCount: number): number {
	const { place, width: taken } = detailPlacement(look, width, accountCount);
	return place === 'beside' ? width - taken - 1 : width;
}
