import type { Screen } from './look/screen.ts';

export type Layout = ReturnType<typeof layoutFor>;

export const minScreenSize = { columns: 30, rows: 6 };

export function layoutFor(columns: number, rows: number, extraRuleCount = 0) {
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

type DetailPlacement = { place: 'hidden' | 'beside' | 'whole'; width: number };

type Look = Pick<Screen, 'isDetailOpen' | 'map'>;

/** On a wide screen the details are beside the table. The map needs the whole width. */
export function detailPlacement({ isDetailOpen, map }: Look, width: number): DetailPlacement {
	if (isDetailOpen) return { place: 'whole', width };
	if (width < minWidthForSideDetail || map.isOpen) return { place: 'hidden', width: 0 };
	return { place: 'beside', width: Math.max(minSideDetailWidth, Math.floor(width / 4)) };
}

export function tableWidth(look: Look, width: number): number {
	const { place, width: taken } = detailPlacement(look, width);
	return place === 'beside' ? width - taken - 1 : width;
}
