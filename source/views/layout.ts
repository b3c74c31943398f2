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
