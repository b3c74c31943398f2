import { chosenChoiceOf, firstVisibleLine } from '../screen/choice.ts';
import { shownFilterMistake } from '../screen/filter-mistake.ts';
import { hiddenMarkCount } from '../screen/marks.ts';
import { currentFilter, cursorIndex, isMap, isTable } from '../screen/screen.ts';
import { viewRows } from '../screen/view-table.ts';
import { standingFailure } from '../store/our-operations.ts';
import { keysLine, type MessagePlace } from '../wording/frame/footer-text.ts';
import { importantNews } from '../wording/frame/important-news.ts';
import { hasMessage, messageLine } from '../wording/frame/messages.ts';
import {
	failureMessage,
	isCountingDown,
	nextCountdownLine,
	progressSpans,
} from '../wording/frame/progress-text.ts';
import { replayLine, shortReplayText, withReplayHints } from '../wording/frame/replay-text.ts';
import { hasSpareRows } from '../wording/frame/spare-rows.ts';
import { filterSpans, viewRule } from '../wording/frame/view-rule.ts';
import { plainLine } from '../wording/phrases/waiting-text.ts';
import { positionText, ruleBelowTable } from '../wording/table/table-rules.ts';
import { tableWidth } from './fleet/column-widths.ts';
import { hiddenUnreadCount } from './fleet/rows.ts';

import { ownEmailsIn } from './log.ts';
import { isTableShown, type OpenText } from './open-text.ts';
import type { Scene } from './scene.ts';

/** Returns the lines around the view: the rules, the activity and the keys. */
export function framingLines(props: Scene, text: OpenText | undefined) {
	const { account, accounts, screen, shown, firstRow, layout } = props;
	const { operationsState, replay, bindings, now, theme } = props;
	const { columns: width, tableRowCount: lines } = layout;
	const { answer, failing } = account.reads.list ?? {};
	const lastReadAt = Math.max(answer?.at ?? 0, failing?.lastFailedAt ?? 0);
	const isTableSeen = isTableShown(props, text);
	const end = isTableSeen && text ? tableWidth(screen, width, accounts.length) : width;
	const hasSpare = isTableSeen && !isMap(screen) && hasSpareRows(lines - shown.allRows.length, end);
	// The view itself shows the newest changes, unless they are filtered out or scrolled out of sight.
	const areChangesSeen =
		viewRows[screen.view].showsNewestChanges &&
		!screen.isHelpOpen &&
		currentFilter(screen) === '' &&
		firstVisibleLine(screen, text?.choiceList) === 0;
	const own = ownEmailsIn(accounts);
	const rowUnderCursor = shown.rows[cursorIndex(screen, shown.ids)];
	const failure = replay ? undefined : standingFailure(account, rowUnderCursor?.operation);
	// Where a message takes the place of the keys, even a failure leaves after a while.
	const isFailureShown = failure && (layout.hasActivity || now - failure.at < keysHiddenMs);
	const footer = {
		screen,
		keyContext: props.keyContext,
		lastReadAt,
		width,
		now,
		theme,
		// The spare rows show the newest changes as well.
		news: hasSpare || areChangesSeen || replay ? [] : importantNews(account, own, now),
		failure: isFailureShown ? failureMessage(failure, theme) : undefined,
	};
	const { canChange } = props;
	const progress = progressSpans(props);
	const countdown =
		replay && !layout.hasRuleBelow ? plainLine(shortReplayText(replay)) : nextCountdownLine(props);
	const mistake = shownFilterMistake(shown.allRows, screen);
	const isMessageShown = hasMessage(footer, countdown);
	const rows = {
		firstRow,
		visibleCount: lines,
		totalCount: isTableSeen && !isMap(screen) ? shown.rows.length : 0,
	};
	const chosen = chosenChoiceOf(screen, text?.choiceList);
	const status = {
		isLocked: operationsState.isLocked,
		canStartBilling: account.subscription === null,
		hasRunningCommand: operationsState.commandRuns.some(({ endedAt }) => endedAt === undefined),
		hasFailure: failure !== undefined,
		hasFailedLine: chosen?.hasFailed,
		countdown,
		isCountingDown: canChange && !replay && isCountingDown(props),
		choiceCount: text?.choiceList?.choices.length,
		isCancellable: chosen?.isCancellable,
		matchCount: isTable(screen)
			? shown.rows.length - shown.keptIds.size
			: (text?.choiceList?.choices.length ?? 0),
		totalCount: isTable(screen) ? shown.allRows.length : undefined,
		notReadCount: hiddenUnreadCount(screen, shown),
		...mistake,
		messagePlace: messagePlaceOf(layout, replay !== undefined),
		isFilterShown: layout.hasRuleAbove || isTableSeen,
		hiddenMarkCount: hiddenMarkCount(screen, shown),
		position: layout.hasRuleBelow ? undefined : positionText(rows),
	};
	const filterCompletions = text?.filterCompletions;
	const completing = filterCompletions ? { ...shown, filterCompletions } : shown;
	const hints = replay ? withReplayHints(replay, bindings) : bindings;
	// On a screen that is too small for a line of activity, running operations take the place of the key hints.
	const isFree = !screen.isFiltering && !isMessageShown;
	const isBusy = progress !== undefined && !layout.hasActivity && isFree;
	const isListed = shown.allRows.length > 0 || account.reads.list?.answer !== undefined;
	const computerCount = isListed ? props.counts.total : undefined;
	const { matchCount, notReadCount } = status;
	const { problem } = mistake;
	const viewRuleOptions = {
		screen,
		matchCount,
		notReadCount,
		computerCount,
		problem,
		width,
		theme,
	};
	const message = messageLine(
		footer,
		countdown,
		progress,
		hasSpare || areChangesSeen ? [] : account.changes,
		own,
	);
	return {
		above: viewRule(viewRuleOptions),
		filter: filterSpans(viewRuleOptions),
		below: belowView(),
		activity: message,
		keys: isBusy ? { text: message, zones: [] } : keysLine(footer, completing, status, hints),
	};

	function belowView(): string {
		if (replay) return replayLine(replay, width, theme);
		return ruleBelowTable({
			...rows,
			unreadableCount: account.unreadableCount,
			repeatedCount: account.repeatedCount,
			tableEnd: end,
			width,
			theme,
		});
	}
}

/** For this long a failure takes the place of the keys on a low screen. */
const keysHiddenMs = 8_000;

/** On a low screen, messages replace the key hints, unless that line shows the position of a replay. */
function messagePlaceOf({ hasActivity }: Scene['layout'], isReplay: boolean): MessagePlace {
	if (hasActivity) return 'above';
	return isReplay ? 'beside' : 'instead';
}
