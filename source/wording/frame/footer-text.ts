import {
	fitToWidth,
	justifySpans,
	paintSpans,
	partsThatFit,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Change } from '../../fleet/change.ts';
import { allowanceInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import {
	type Binding,
	isTableContext,
	isViewContext,
	type KeyContext,
	worksIn,
} from '../../keys/binding.ts';
import type { OperationsState } from '../../operations/operations-state.ts';
import { currentFilter, cursorIndex, type Screen } from '../../screen/screen.ts';
import type { Row } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import type { VisibleRows } from '../table/visible-rows.ts';
import { timedChangeSpans } from '../views/log-text.ts';
import { type FilterLineState, filterLine } from './filter-line.ts';
import { markedText } from './marked-text.ts';
import { orderMenuLine } from './order-menu-text.ts';

//  08:14 borealis: creating → active in 48s            08:12 eridanus: stopped by you
//  / filter  ? help  q quit

type FooterOptions = {
	screen: Screen;
	keyContext: KeyContext;
	width: number;
	now: number;
	theme: Theme;
};

/** The values that the footer shows and that are not part of the screen's own state. */
type FooterState = FilterLineState &
	Pick<OperationsState, 'isLocked'> &
	Pick<JointAccount, 'batches'>;

/** Draws the activity line: the most recent changes of the fleet, newest first. */
export function activityLine(
	{ width, now, theme }: FooterOptions,
	changes: readonly Change[],
): string {
	const parts: (readonly Span[])[] = [];
	for (let at = changes.length - 1; at >= 0 && parts.length < 4; at -= 1) {
		const change = changes[at];
		if (change) parts.push(timedChangeSpans(change, now));
	}
	const [first = [], ...others] = parts;
	const gap = '     ';
	const fit = partsThatFit([first, ...others], gap, width - 2, theme);
	return paintSpans(fitToWidth([[' '], ...(fit.length > 0 ? fit : first)], width, theme), theme);
}

/**
 * Draws the last line of the screen: the filter while a person types, and otherwise hints for the keys that
 * work now, with notices at the right.
 */
export function keysLine(
	options: FooterOptions,
	visibleRows: VisibleRows,
	footerState: FooterState,
	bindings: readonly Binding[],
): string {
	const { screen, keyContext, width, theme } = options;
	if (screen.isFiltering) return filterLine(options, visibleRows, footerState, bindings);
	if (screen.isOrderMenuOpen)
		return orderMenuLine({ current: screen.orderings.fleet.by, bindings, width, theme });
	const hintContext: HintContext = {
		keyContext,
		screen,
		row: visibleRows.rows[cursorIndex(screen, visibleRows.ids)],
		isAnyOutdated: visibleRows.allRows.some(({ isOutdated }) => isOutdated),
	};
	const isHelp = ({ intent }: Binding) => intent.type === 'move' && intent.move.type === 'help';
	const offered = bindings.filter(binding => isOffered(binding, hintContext));
	const hintsOf = (some: readonly Binding[]) =>
		some.map(({ keys, hint }): readonly Span[] => [
			[shortKeyName(keys[0] ?? ''), 'accent'],
			[` ${hint}`, 'faint'],
		]);
	const notices = noticeSpans(options, hintContext, footerState);
	const right: readonly Span[] = notices.length > 0 ? [...notices, [' ']] : [];
	// However long the notices are, at least ten cells are left for a key hint.
	const room = Math.max(10, width - 1 - widthOf(right, theme));
	const hints = hintsThatFit(
		hintsOf(offered.filter(isHelp)),
		hintsOf(offered.filter(binding => !isHelp(binding))),
		width < 100,
		room,
		theme,
	);
	const left: Span[] = [[' '], ...hints];
	const fittedNotices = fitToWidth(
		right,
		Math.min(widthOf(right, theme), width - widthOf(left, theme)),
		theme,
	);
	return paintSpans(justifySpans(left, fittedNotices, width, theme), theme);
}

/**
 * Chooses the key hints that fit into the room. The hint of the help key is always included: first on a
 * narrow screen, last on a wide screen.
 */
function hintsThatFit(
	help: readonly (readonly Span[])[],
	others: readonly (readonly Span[])[],
	isNarrow: boolean,
	availableWidth: number,
	theme: Theme,
): readonly Span[] {
	const gap = '  ';
	if (isNarrow) return partsThatFit([...help, ...others], gap, availableWidth, theme);
	const end = help.flatMap(spans => [[gap] as const, ...spans]);
	const begin = partsThatFit(others, gap, availableWidth - widthOf(end, theme), theme);
	return begin.length > 0 ? [...begin, ...end] : partsThatFit(help, gap, availableWidth, theme);
}

const shortKeyNames: Readonly<Record<string, string>> = { space: '␣', escape: 'esc' };

const shortKeyName = (key: string) => shortKeyNames[key] ?? key;

type HintContext = {
	keyContext: KeyContext;
	screen: Screen;
	row: Row | undefined;
	isAnyOutdated: boolean;
};

/**
 * Returns whether the footer hints at this key. Operations are offered only if the phase of the computer
 * under the cursor allows them.
 */
function isOffered(
	{ intent, contexts, hint, isRefused }: Binding,
	{ keyContext, screen, row, isAnyOutdated }: HintContext,
): boolean {
	if (isRefused || hint === undefined || !worksIn({ contexts }, keyContext)) return false;
	if (intent.type === 'move' && intent.move.type === 'back') {
		return !isTableContext(keyContext) || screen.isDetailOpen;
	}
	if (intent.type !== 'ask') return true;
	const { subject, goal } = operationRowOf(intent.operation);
	if (subject === 'account') return true;
	if (intent.targets === 'behind') return isAnyOutdated;
	if (!row) return false;
	if (screen.marks.size > 0) return subject !== 'port';
	if (goal.reaches === 'version' && !row.isOutdated) return false;
	if (goal.reaches === 'unpublished' && !row.computer.reading.ports?.length) return false;
	return allowanceInPhase(intent.operation, row.computer.phase).isAllowed;
}

const noticeDurationMs = 8_000;

/** Lists the notices at the right, most important first, because a narrow screen cuts off the end. */
function noticeSpans(
	{ screen, now }: FooterOptions,
	hintContext: HintContext,
	footerState: FooterState,
): readonly Span[] {
	const { notice, marks } = screen;
	const { isLocked, countdown } = footerState;
	const isFresh = notice && (notice.isLasting || now - notice.shownAt < noticeDurationMs);
	const filter = currentFilter(screen);
	const parts: (readonly Span[])[] = [];
	if (countdown !== undefined) parts.push([[countdown, 'busy']]);
	if (isFresh) parts.push([[notice.text]]);
	if (isLocked) parts.push([['locked', 'busy']]);
	if (marks.size > 0) parts.push([[markedText(marks.size, footerState.hiddenMarkCount), 'mark']]);
	if (filter !== '') {
		const hint = doesEscClearFilter(hintContext, footerState) ? ' (esc clears)' : '';
		parts.push([
			[`/${filter}`, 'accent'],
			[hint, 'faint'],
		]);
	}
	return parts.flatMap(part => [['  '] as const, ...part]);
}

/**
 * Returns whether the next press of Esc clears the filter. Esc first cancels countdowns, clears marks and
 * closes details, one of these per press.
 */
function doesEscClearFilter(
	{ keyContext, screen, row }: HintContext,
	{ countdown, batches }: FooterState,
): boolean {
	if (countdown !== undefined) return false;
	if (!isTableContext(keyContext)) return isViewContext(keyContext);
	const isTableOnly = screen.marks.size === 0 && !screen.isDetailOpen;
	return isTableOnly && batches.size === 0 && !row?.operation;
}
