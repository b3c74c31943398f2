import type { DrawnLine } from '../../drawing/drawn-line.ts';
import { paintSpans, type Span } from '../../drawing/span.ts';
import { memoize } from '../../foundation/memoize.ts';
import { type Binding, isTableContext, isViewContext } from '../../keys/binding.ts';
import type { OperationsState } from '../../operations/operations-state.ts';
import { currentFilter, cursorIndex, isMap, type Screen } from '../../screen/screen.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import { filterName } from '../phrases/filter-name.ts';
import { type FilterLineState, filterLine, helpFilterLine } from './filter-line.ts';
import { hintsOf } from './hint-table.ts';
import { hintsLine } from './hints-line.ts';
import { markedText } from './marked-text.ts';
import { messageSpans } from './message-spans.ts';
import { type FooterOptions, hasMessage, messagesOf } from './messages.ts';
import { orderMenuLine } from './order-menu-text.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit       3 marked

export type MessagePlace = 'above' | 'beside' | 'instead';

/** The values that the footer shows in addition to the state of the screen. */
type FooterState = FilterLineState &
	Pick<OperationsState, 'isLocked'> & {
		/** Whether the platform has answered that the account has no plan. */
		canStartBilling?: boolean;
		/** Whether a countdown runs, which the next press of Esc cancels. */
		isCountingDown?: boolean;
		/** Whether a failure stands, which F asks for again and Esc takes away. */
		hasFailure?: boolean;
		/** Whether the line under the cursor has a failure, which F asks for again. */
		hasFailedLine?: boolean | undefined;
		/** Whether an own command runs whose output is shown. */
		hasRunningCommand?: boolean;
		/** How many lines the cursor of a view can choose. */
		choiceCount?: number | undefined;
		/** Whether the line under the cursor can be cancelled. */
		isCancellable?: boolean | undefined;
		/**
		 * Where messages are shown: in the line above the key hints, beside the hints, or for a while in their place.
		 */
		messagePlace: MessagePlace;
		/** The position in the table, if no rule shows it. */
		position?: string | undefined;
		/** Whether a line above the view shows its filter. */
		isFilterShown: boolean;
	};

/**
 * Draws the last line of the screen: the filter while a person types it, messages on a low screen, and otherwise
 * hints for the keys that work now. The number of marked computers is at the right.
 */
export function keysLine(
	options: FooterOptions,
	visibleRows: VisibleRows,
	footerState: FooterState,
	bindings: readonly Binding[],
): DrawnLine {
	const { screen, keyContext, width, theme } = options;
	const still = (text: string): DrawnLine => ({ text, zones: [] });
	// A countdown stands in the line of a filter only if no other line shows it.
	const countdown = footerState.messagePlace === 'above' ? undefined : footerState.countdown;
	if (screen.help.isFiltering) return still(helpFilterLine(options, countdown));
	if (screen.isFiltering)
		return still(filterLine(options, visibleRows, { ...footerState, countdown }, bindings));
	const { by: current } = screen.orderings.fleet;
	// Where messages have no line of their own, the reply to a key takes the place of the menu for a while.
	const { messagePlace } = footerState;
	const shownCountdown = messagePlace === 'instead' ? footerState.countdown : undefined;
	const isReplyInstead = messagePlace !== 'above' && hasMessage(options, shownCountdown);
	if (screen.isOrderMenuOpen && isReplyInstead)
		return still(
			paintSpans(messageSpans(messagesOf(options, shownCountdown), width, theme), theme),
		);
	if (screen.isOrderMenuOpen)
		return still(
			orderMenuLine({
				current,
				bindings,
				width,
				theme,
				hasSeveralAccounts: visibleRows.groupings?.includes('account') ?? false,
			}),
		);
	const row = visibleRows.rows[cursorIndex(screen, visibleRows.ids)];
	const right = statusSpans(options, footerState);
	const messages = messagesOf(options, footerState.countdown);
	if (footerState.messagePlace === 'instead' && messages.length > 0)
		return still(paintSpans(messageSpans(messages, width, theme), theme));
	const hints = hintsOf(bindings, {
		keyContext,
		screen,
		row,
		choiceCount: footerState.choiceCount,
		isCancellable: footerState.isCancellable ?? false,
		hasFailure: footerState.hasFailure === true || footerState.hasFailedLine === true,
		markedRows: markedRowsOf(visibleRows.allRows, screen.marks),
		isAnyOutdated: isAnyOutdated(visibleRows.allRows),
		hasTrouble: visibleRows.hasTrouble,
		isLocked: footerState.isLocked,
		canStartBilling: footerState.canStartBilling ?? false,
		hasRunningCommand: footerState.hasRunningCommand ?? false,
		escapeHint: escapeHint(options, footerState),
		isCountingDown: isCancelOffered(options, footerState),
	});
	return hintsLine(hints, right, width, theme);
}

/** The result is cached, because there may be ten thousand rows and they seldom change from frame to frame. */
const markedRowsOf = memoize((rows: readonly FleetRow[], marks: Screen['marks']) =>
	marks.size === 0 ? [] : rows.filter(row => marks.has(row.id)),
);

const isAnyOutdated = memoize((rows: readonly FleetRow[]) => rows.some(row => row.isOutdated));

const noSpans: readonly Span[] = [];

/**
 * Lists what stands to the right of the key hints: messages, then the number of marks, the filter and the position.
 */
function statusSpans(options: FooterOptions, footerState: FooterState): readonly Span[] {
	const { screen } = options;
	const { messagePlace, isFilterShown, position, countdown, hiddenMarkCount } = footerState;
	const { marks } = screen;
	const filter = currentFilter(screen);
	const isBeside = messagePlace === 'beside';
	const parts: (readonly Span[])[] = isBeside
		? messagesOf(options, countdown).map(({ spans }) => spans)
		: [];
	if (marks.size > 0) parts.push([[markedText(marks.size, hiddenMarkCount), 'mark']]);
	if (filter !== '' && !isFilterShown) parts.push([[`/${filterName(filter)}`, 'accent']]);
	if (position !== undefined) parts.push([[position, 'faint']]);
	if (parts.length === 0) return noSpans;
	return [...parts.flatMap(part => [['  '] as const, ...part]), [' ']];
}

const isCancelOffered = (
	{ keyContext }: Pick<FooterOptions, 'keyContext'>,
	{ isCountingDown = false }: Pick<FooterState, 'isCountingDown'>,
) => isCountingDown && isViewContext(keyContext);

/** Says what the next press of Esc does. Each press does one thing: it cancels, closes, unmarks or clears. */
function escapeHint(
	{ keyContext, screen }: FooterOptions,
	footerState: FooterState,
): string | undefined {
	const filter = currentFilter(screen);
	if (keyContext === 'columns') return 'close';
	if (isCancelOffered({ keyContext }, footerState)) return 'cancel';
	if (footerState.hasFailure && isViewContext(keyContext)) return 'clear failure';
	if (!isTableContext(keyContext))
		return filter !== '' && isViewContext(keyContext) ? 'clear filter' : 'back';
	if (screen.isDetailOpen) return 'back';
	if (screen.marks.size > 0) return 'unmark all';
	if (screen.viewsBehind.length > 0) return 'back';
	if (isMap(screen) && filter === '') return 'table';
	return filter !== '' ? 'clear filter' : undefined;
}
