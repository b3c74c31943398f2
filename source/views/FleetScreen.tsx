import { Box } from 'ink';
import { type Ref, useMemo, useState } from 'react';
import type { Layout } from '../drawing/layout.ts';
import { listedCount } from '../drawing/section.ts';
import type { Badge, Theme } from '../drawing/theme.ts';
import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import type { Binding, KeyContext } from '../keys/binding.ts';
import type { Operations } from '../operations/operations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { WaitReasonOf } from '../operations/waiting.ts';
import { firstVisibleLine } from '../screen/choice.ts';
import { hiddenMarkCount } from '../screen/marks.ts';
import { cursorIndex, filterMistake, isMap, isTable, type Screen } from '../screen/screen.ts';
import { viewRows } from '../screen/view-table.ts';
import type { OpenedAccount } from '../store/opened-accounts.ts';
import type { Counts } from '../store/selectors.ts';
import type { JointAccount } from '../store/state.ts';
import { completionSuggestion } from '../wording/frame/filter-line.ts';
import { keysLine, messageLine } from '../wording/frame/footer-text.ts';
import { batchProgressLine, nextCountdownText } from '../wording/frame/progress-text.ts';
import {
	type ReplayState,
	replayLine,
	shortReplayText,
	withReplayHints,
} from '../wording/frame/replay-text.ts';
import { createSpareRows, hasSpareRows } from '../wording/frame/spare-rows.ts';
import { filterSpans, viewRule } from '../wording/frame/view-rule.ts';
import { cellContextsOf } from '../wording/table/cell-context.ts';
import { detailPlacement, tableWidth } from '../wording/table/detail-placement.ts';
import { positionText, ruleBelowTable, rulesAboveTable } from '../wording/table/table-rules.ts';
import { emptyTableLines, type VisibleRows } from '../wording/table/visible-rows.ts';
import { type OpenText, openText } from '../wording/views/open-text.ts';
import type { AddressesOf } from '../wording/views/ports-table.ts';
import type { ViewSelectors } from '../wording/views/view-texts.ts';
import { ClickableLine } from './ClickableLine.tsx';
import type { DrawnTable } from './DrawnTable.ts';
import { FleetMap } from './FleetMap.tsx';
import { FleetTable } from './FleetTable.tsx';
import { Header } from './Header.tsx';
import { Line } from './Line.tsx';
import { Stack } from './Stack.tsx';

// The picture from top to bottom: header, rule, body (the table here), rule, messages, keys.
//
//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log  owner@example.com · Pro   credits 38.75   −0.90/h  2 d 2 h left
//  ✖ 1 error  ◐ 2 creating  ↑ 3 behind  ○ 4 stopped  ● 17 active  ● live 2 s   reads ▮▮▮▯▯ 16/30  status ▮▯▯▯▯  9/60
// ─ trouble first ──────────────────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
//    NAME           STATUS        STAGE                              VERSION   UPTIME   CPU  30 MIN     MEM  SEEN
//  ❯ draco          ✖ Error       disk quota exceeded                1.4.2          –                         1s
// ─ 24 h ▁▁▂▁▁▁▇▂▁▁▁▁▁▁✖▁▁▁▂▁▁▁▁▁ ──────────────────────────────────────────────────────────────── 1–24 of 996 ──
//  Stopping atlas in 4 s, Esc to cancel
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit

type Props = {
	accounts: readonly OpenedAccount[];
	/** What the accounts have together. */
	account: JointAccount;
	addressesOf: AddressesOf;
	screen: Screen;
	badge: Badge | undefined;
	profiles?: readonly AccountProfile[] | undefined;
	/** The position in the recording that is replayed, if any. */
	replay?: ReplayState | undefined;
	table?: Ref<DrawnTable> | undefined;
	shown: VisibleRows;
	/** The index of the first visible row. */
	firstRow: number;
	counts: Counts;
	runway: Runway | null;
	layout: Extract<Layout, { isTooSmall: false }>;
	bindings: readonly Binding[];
	operationsState: OperationsState;
	/** The context of the next key, which decides what the keys line offers. */
	keyContext: KeyContext;
	/** Whether this program can open the password dialog. */
	canSignIn?: boolean;
	waitingFor: WaitReasonOf;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	viewSelectors: ViewSelectors;
	isLowBandwidth: boolean;
	now: number;
	theme: Theme;
};

export function FleetScreen(props: Props) {
	const { account, accounts, badge, profiles, counts, runway, layout, now, theme } = props;
	const { operationsState, canSignIn = false, replay, isLowBandwidth } = props;
	const { columns: width } = layout;
	const text = openText({ ...props, width, lines: layout.tableRowCount + 1 });
	const { above, below, activity, keys, filter: end } = footerLines(props, text);
	const rules = replay ? [] : rulesAboveTable({ accounts, canSignIn, width, now, theme, end });
	const [banner, ...otherRules] = rules;
	// Without a rule of its own, a filter takes the line of the column titles: a filtered table must look filtered.
	const bannerInstead = banner ?? (end.length > 0 ? above : undefined);
	return (
		<>
			<Header
				{...{ account, badge, profiles, counts, runway, canSignIn, isLowBandwidth }}
				{...{ bindings: props.bindings, view: props.screen.view, now, width, theme }}
				// A replay shows its position instead of "read-only".
				isReadOnly={operationsState.isReadOnly && !replay}
				isLocked={operationsState.isLocked && !replay}
				replayAt={replay?.time}
				hasCounts={layout.hasCounts}
			/>
			{layout.hasRuleAbove && <Line text={banner ?? above} />}
			{layout.hasRuleAbove && otherRules.map(rule => <Line key={rule} text={rule} />)}
			<Body {...props} text={text} banner={layout.hasRuleAbove ? undefined : bannerInstead} />
			{layout.hasRuleBelow && <Line text={below} />}
			{layout.hasActivity && <Line text={activity} />}
			<ClickableLine line={keys} />
		</>
	);
}

/** The part between the rules: the open text, which is the help, a view or the details, beside or instead of the table. */
function Body(props: Props & { text: OpenText | undefined; banner: string | undefined }) {
	const { screen, layout, text, isLowBandwidth, theme } = props;
	const lines = layout.tableRowCount + 1;
	const firstLine = firstVisibleLine(screen, text?.choiceList);
	const place = { firstLine, lines, isLowBandwidth, theme };
	if (!isTableShown(props, text)) return text && <Stack {...text} {...place} />;
	return (
		<Box height={lines}>
			<Table {...props} hasDetail={text !== undefined} />
			{text && <Line text={' '} />}
			{text && <Stack {...text} {...place} />}
		</Box>
	);
}

function isTableShown({ accounts, screen, layout }: Props, text: OpenText | undefined): boolean {
	const { place } = detailPlacement(screen, layout.columns, accounts.length);
	const hasRoom = text === undefined || place === 'beside';
	return isTable(screen) && !screen.isHelpOpen && hasRoom;
}

function Table(props: Props & { hasDetail: boolean; banner: string | undefined }) {
	const { account, accounts, screen, shown, firstRow, layout, operationsState } = props;
	const { waitingFor, now, theme } = props;
	const contextOf = useMemo(
		() => cellContextsOf({ accounts, operationsState, waitingFor, now, theme }),
		[accounts, operationsState, waitingFor, now, theme],
	);
	const [spareRowsOf] = useState(createSpareRows);
	const { columns, tableRowCount: lines } = layout;
	if (isMap(screen) && shown.rows.length > 0) return <FleetMap {...props} contextOf={contextOf} />;
	const suggestion = completionSuggestion(screen, shown, props.bindings);
	const { allRows } = shown;
	const empty = emptyTableLines(account, allRows.length, screen, now, suggestion);
	const width = props.hasDetail ? tableWidth(screen, columns, accounts.length) : columns;
	// The lines below the rows of the whole fleet are spare, so that nothing moves while a filter hides rows.
	const spareLines = lines - Math.max(allRows.length, empty.length);
	const own = props.viewSelectors.ownEmailsOf(accounts);
	const spare = {
		account,
		own,
		allRows,
		runway: props.runway,
		lines: spareLines,
		width,
		now,
		theme,
	};
	return (
		<FleetTable
			ref={props.table}
			rows={shown.rows.slice(firstRow, firstRow + lines)}
			lines={lines}
			width={width}
			spareRows={spareRowsOf(spare)}
			banner={props.banner}
			marks={screen.marks}
			keptIds={shown.keptIds}
			cursorId={shown.ids[cursorIndex(screen, shown.ids)]}
			ordering={screen.orderings.fleet}
			columns={screen.columns}
			hasSeveralAccounts={accounts.length > 1}
			contextOf={contextOf}
			theme={theme}
			emptyLines={empty}
		/>
	);
}

/** Returns the lines around the view: the rules, the activity and the keys. */
function footerLines(props: Props, text: OpenText | undefined) {
	const { account, accounts, screen, shown, firstRow, layout } = props;
	const { operationsState, replay, bindings, now, theme } = props;
	const { columns: width, tableRowCount: lines } = layout;
	const footer = { screen, keyContext: props.keyContext, width, now, theme };
	const canChange = !operationsState.isReadOnly;
	const progress = batchProgressLine({ ...props, keptCount: shown.keptIds.size, canChange, width });
	const countdown =
		replay && !layout.hasRuleBelow
			? shortReplayText(replay)
			: nextCountdownText({ ...props, canChange });
	const status = {
		isLocked: operationsState.isLocked,
		hasPlan: Boolean(account.subscription),
		batches: account.batches,
		countdown,
		matchCount: isTable(screen)
			? shown.rows.length - shown.keptIds.size
			: (text?.choiceList?.choices.length ?? listedCount(text?.sections ?? [])),
		totalCount: isTable(screen) ? shown.allRows.length : undefined,
		...filterMistake(shown.allRows, screen),
		hasMessageLine: layout.hasActivity && progress === undefined,
		isFilterShown: layout.hasRuleAbove || isTableShown(props, text),
		hiddenMarkCount: hiddenMarkCount(screen, shown),
	};
	const own = props.viewSelectors.ownEmailsOf(accounts);
	const { filterCompletions = shown.filterCompletions } = text ?? {};
	const hints = replay ? withReplayHints(replay, bindings) : bindings;
	// On a screen that is too small for a line of activity, running operations take the place of the key hints.
	const isFree = !screen.isFiltering && countdown === undefined;
	const isBusy = progress !== undefined && !layout.hasActivity && isFree;
	const isTableSeen = isTableShown(props, text);
	const end = isTableSeen && text ? tableWidth(screen, width, accounts.length) : width;
	const rows = {
		firstRow,
		visibleCount: lines,
		totalCount: isTableSeen && !isMap(screen) ? shown.rows.length : 0,
	};
	const hasSpare = isTableSeen && !isMap(screen) && hasSpareRows(lines - shown.allRows.length, end);
	const position = layout.hasRuleBelow ? undefined : positionText(rows);
	const isListed = shown.allRows.length > 0 || account.reads.list?.answer !== undefined;
	const computerCount = isListed ? props.counts.total : undefined;
	const { matchCount } = status;
	const viewRuleOptions = { screen, matchCount, computerCount, width, theme };
	return {
		above: viewRule(viewRuleOptions),
		filter: filterSpans(viewRuleOptions),
		below: replay
			? replayLine(replay, width, theme)
			: ruleBelowTable({
					...rows,
					unreadableCount: account.unreadableCount,
					activity: viewRows[screen.view].drawsActivity ? [] : account.activity,
					now,
					tableEnd: end,
					width,
					theme,
				}),
		activity: progress ?? messageLine(footer, countdown, hasSpare ? [] : account.changes, own),
		keys: isBusy
			? { text: progress, zones: [] }
			: keysLine(footer, { ...shown, filterCompletions }, { ...status, position }, hints),
	};
}
