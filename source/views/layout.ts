/** Which parts of the screen fit into the terminal. */
export type Layout = {
	columns: number;
	rows: number;
	/** Whether there is no room for anything but a line that says so. */
	isTooSmall: boolean;
	/** Whether the header has a second line, with the counts and their age. */
	hasCounts: boolean;
	/** Whether a rule above the table has a line of its own. It says the order and the filter. */
	hasRuleAbove: boolean;
	hasRuleBelow: boolean;
	/** Whether the messages and the latest activity have a line of their own. */
	hasActivity: boolean;
	/** The number of rows of the table, without its line of titles. */
	tableRowCount: number;
};

export const minScreenSize = { columns: 30, rows: 6 };

/** `extraRuleCount` is the number of lines that rules above the table take from the table. */
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
