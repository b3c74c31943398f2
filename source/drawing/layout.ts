import type { Theme } from '../lines/theme.ts';
import type { Span } from './span.ts';

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

/** The visible lines of a longer text, and the number of lines above and below them. */
type VisibleLines = { firstLine: number; count: number; hiddenAbove: number; hiddenBelow: number };

/**
 * Returns the lines that are visible. If not every line fits, one line is kept free for the numbers of hidden
 * lines above and below.
 */
export function visibleLines(
	textHeight: number,
	firstLine: number,
	viewHeight: number,
): VisibleLines {
	if (textHeight <= viewHeight)
		return { firstLine: 0, count: textHeight, hiddenAbove: 0, hiddenBelow: 0 };
	const count = Math.max(0, viewHeight - 1);
	const above = Math.max(0, Math.min(firstLine, textHeight - count));
	return { firstLine: above, count, hiddenAbove: above, hiddenBelow: textHeight - count - above };
}

/** Returns the first visible line of a list that is scrolled so that the chosen line is in the middle. */
export function firstVisibleIndex(chosenIndex: number, viewHeight: number, count: number): number {
	return Math.max(0, Math.min(chosenIndex - Math.floor(viewHeight / 2), count - viewHeight));
}

/**
 * Returns how many lines a text of `textHeight` lines can scroll in a view. The view has `viewHeight` lines, and
 * the first line of the view is a title.
 */
export function maxScroll(textHeight: number, viewHeight: number): number {
	const room = viewHeight - 1;
	return textHeight <= room ? 0 : textHeight - Math.max(0, room - 1);
}

export function overflowSpans(
	{ hiddenAbove, hiddenBelow }: VisibleLines,
	{ glyphs }: Theme,
): readonly Span[] {
	const parts = [
		hiddenBelow > 0
			? `${glyphs.descending} ${hiddenBelow} more line${hiddenBelow === 1 ? '' : 's'}`
			: '',
		hiddenAbove > 0 ? `${glyphs.ascending} ${hiddenAbove} above` : '',
	];
	return [[` ${parts.filter(part => part !== '').join('  ')}`, 'faint']];
}
