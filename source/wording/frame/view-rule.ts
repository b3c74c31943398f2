import { fitToWidth, paintSpans, type Span, widthOf } from '../../drawing/span.ts';
import { orderFieldFrom, orderRows, troubleFirst } from '../../fleet/computers/order-fields.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Theme } from '../../lines/theme.ts';
import {
	currentFilter,
	currentOrdering,
	isMap,
	isTable,
	type Screen,
} from '../../screen/screen.ts';
import { filterName } from '../phrases/filter-name.ts';
import { notReadNote } from './filter-line.ts';

// ─ trouble first ────────────────────────────────────────────────────────────── 1,000 computers ─
// ─ by CPU ▼ ───────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
// ─ trouble first ──────────────────────────────────────────────── /cpu:>>80 web  not understood ─

type ViewRuleOptions = {
	screen: Screen;
	/** The number of lines that match the filter of the view. */
	matchCount: number;
	/** How many hidden rows the filter may match once they are read. */
	notReadCount?: number | undefined;
	/** The number of computers; undefined until their list is read. */
	computerCount: number | undefined;
	/** The problem with the filter. The words that are understood still filter the view. */
	problem?: string | undefined;
	width: number;
	theme: Theme;
};

/** The least number of cells at the left of the filter, which are for the order. */
const minOrderWidth = 18;

/** Draws the rule above the view. The rule names the order and the filter of the view. */
export function viewRule(options: ViewRuleOptions): string {
	const { width, theme } = options;
	const { rule } = theme.glyphs;
	const end: Span = [rule, 'faint'];
	const right = [...endSpans(options), end];
	const order = orderOf(options);
	const left: readonly Span[] = order === undefined ? [] : [end, [' '], [order, 'faint'], [' ']];
	const gap = width - widthOf(left, theme) - widthOf(right, theme);
	return paintSpans(
		fitToWidth([...left, [rule.repeat(Math.max(0, gap)), 'faint'], ...right], width, theme),
		theme,
	);
}

function orderOf({ screen, theme }: ViewRuleOptions): string | undefined {
	// The map has its own groups, in which each computer keeps its place. The details are of one computer, and the titles
	// of the other tables say their order.
	const hasOrder = isTable(screen) && !screen.isHelpOpen && !screen.isDetailOpen && !isMap(screen);
	const ordering = hasOrder ? currentOrdering(screen) : undefined;
	if (!ordering) return undefined;
	const { by, isReversed } = ordering;
	if (by === troubleFirst.by) return 'trouble first';
	const field = orderFieldFrom(by);
	return `by ${field ? orderRows[field].label : by}${isReversed ? ` ${theme.glyphs.descending}` : ''}`;
}

/** Returns the filter of the view and the number of computers that match, or the number of all computers. */
function endSpans(options: ViewRuleOptions): readonly Span[] {
	const { screen, matchCount, computerCount, notReadCount, problem, width, theme } = options;
	const filter = screen.isHelpOpen ? '' : currentFilter(screen);
	const hasCount =
		isTable(screen) && !screen.isHelpOpen && !screen.isDetailOpen && computerCount !== undefined;
	if (filter === '') return hasCount ? [[` ${computersText(computerCount)} `, 'faint']] : [];
	const count = hasCount
		? `  ${countText(matchCount)} of ${countText(computerCount)}${notReadNote(notReadCount)}`
		: '';
	// No number is shown for a filter with a problem, because it would look as if the filter were applied.
	const result = problem === undefined ? count : '  not understood';
	const room = Math.max(0, width - minOrderWidth - result.length - 2);
	const text: Span = [`/${filterName(filter)}`, problem === undefined ? 'accent' : 'bad'];
	const fitted = widthOf([text], theme) <= room ? [text] : fitToWidth([text], room, theme);
	return [[' '], ...fitted, [result, problem === undefined ? undefined : 'bad'], [' ']];
}

/**
 * Returns the filter and the number of matches, for a rule that has another text at its left; empty without a filter.
 */
export const filterSpans = (options: ViewRuleOptions) =>
	currentFilter(options.screen) === '' ? [] : endSpans(options);

const computersText = (count: number) =>
	`${countText(count)} ${count === 1 ? 'computer' : 'computers'}`;
