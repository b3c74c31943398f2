import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { wrapSpans } from '../drawing/span.ts';
import { firstVisibleLine } from '../screen/choice.ts';
import { cursorIndex, isMap } from '../screen/screen.ts';
import { isNothingKnown } from '../store/freshness.ts';
import { emptyTableLines } from '../wording/frame/empty-table.ts';
import { completionSuggestion } from '../wording/frame/filter-line.ts';
import { createSpareRows } from '../wording/frame/spare-rows.ts';
import { cellContextsOf } from '../wording/table/cell-context.ts';
import { tableWidth } from '../wording/table/detail-placement.ts';
import { rulesAboveTable } from '../wording/table/table-rules.ts';
import { type OpenText, openText } from '../wording/views/open-text.ts';
import { ClickableLine } from './ClickableLine.tsx';
import { FleetMap } from './FleetMap.tsx';
import { FleetTable } from './FleetTable.tsx';
import { framingLines } from './framing-lines.ts';
import { Header } from './Header.tsx';
import { Line } from './Line.tsx';
import { Stack } from './Stack.tsx';
import { isTableShown, type ScreenProps } from './screen-props.ts';

/** The cells to the left and the right of the lines of an empty table. */
const emptyTableMargin = 4;

// The screen from top to bottom: header, rule, body (the table here), rule, messages, keys.
//
//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log  owner@example.com · Pro   credits 38.75   −0.90/h  2 d 2 h left
//  ✖ 1 error  ◐ 2 creating  ↑ 3 behind  ○ 4 stopped  ● 17 active  ● live 2 s   reads ▮▮▮▯▯ 16/30  status ▮▯▯▯▯  9/60
// ─ trouble first ──────────────────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
//    NAME           STATUS        STAGE                               CPU  30 MIN     MEM  VERSION   UPTIME  SEEN
//  ❯ draco          ✖ Error       image pull failed: disk quota exceeded                  1.4.2          –    1s
// ─ 24 h ▁▁▂▁▁▁▇▂▁▁▁▁▁▁✖▁▁▁▂▁▁▁▁▁ ──────────────────────────────────────────────────────────────── 1–24 of 996 ──
//  Stopping atlas in 4 s, Esc to cancel
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit

export function FleetScreen(props: ScreenProps) {
	const { account, accounts, badge, profiles, counts, statusAges, runway, layout, now, theme } =
		props;
	const { operationsState, canSignIn = false, isPasswordWanted = false, replay } = props;
	const { columns: width } = layout;
	const text = openText({ width, lines: layout.tableRowCount + 1, ...props });
	const { above, below, activity, keys, filter: end } = framingLines(props, text);
	const rules = replay ? [] : rulesAboveTable({ accounts, canSignIn, width, now, theme, end });
	const [banner, ...otherRules] = rules;
	// A screen without a rule above the table shows the filter in place of the column titles, so that a filtered
	// table never looks complete.
	const bannerInstead = banner ?? (end.length > 0 ? above : undefined);
	return (
		<>
			<Header
				account={account}
				badge={badge}
				profiles={profiles}
				counts={counts}
				statusAges={statusAges}
				runway={runway}
				canSignIn={canSignIn}
				isPasswordWanted={isPasswordWanted}
				bindings={props.bindings}
				view={props.screen.view}
				now={now}
				width={width}
				theme={theme}
				// A replay shows its position instead of "read-only".
				isReadOnly={operationsState.isReadOnly && !replay}
				isLocked={operationsState.isLocked && !replay}
				replayAt={replay?.time}
				hasRule={layout.hasRuleAbove && rules.length > 0}
				hasCounts={layout.hasCounts}
			/>
			{layout.hasRuleAbove && <Line text={banner ?? above} />}
			{layout.hasRuleAbove && otherRules.map(rule => <Line key={rule} text={rule} />)}
			<Body all={props} text={text} banner={layout.hasRuleAbove ? undefined : bannerInstead} />
			{layout.hasRuleBelow && <Line text={below} />}
			{layout.hasActivity && <Line text={activity} />}
			<ClickableLine line={keys} />
		</>
	);
}

type BodyProps = { all: ScreenProps; text: OpenText | undefined; banner: string | undefined };

/**
 * The part between the rules. It shows the table, an open text, or both side by side. An open text is the help, a
 * view or the details.
 */
function Body({ all, text, banner }: BodyProps) {
	const { screen, layout, isLowBandwidth, theme } = all;
	const lines = layout.tableRowCount + 1;
	const firstLine = firstVisibleLine(screen, text?.choiceList);
	const stack = text && (
		<Stack
			{...text}
			firstLine={firstLine}
			lines={lines}
			isLowBandwidth={isLowBandwidth}
			theme={theme}
		/>
	);
	if (!isTableShown(all, text)) return stack;
	return (
		<Box height={lines}>
			<Table all={all} hasDetail={text !== undefined} banner={banner} />
			{stack && <Line text={' '} />}
			{stack}
		</Box>
	);
}

type TableProps = {
	all: ScreenProps;
	hasDetail: boolean;
	banner: string | undefined;
};

function Table({ all, hasDetail, banner }: TableProps) {
	const [spareRowsOf] = useState(createSpareRows);
	const { account, accounts, screen, shown, firstRow, layout } = all;
	const { isReadOnly } = all.operationsState;
	const { waitingFor, isPasswordWanted = false, now, theme } = all;
	const { fleet: filter } = screen.filters;
	const contextOf = useMemo(
		() =>
			cellContextsOf({
				accounts,
				operationsState: { isReadOnly },
				waitingFor,
				filter,
				now,
				theme,
			}),
		[accounts, isReadOnly, waitingFor, filter, now, theme],
	);
	const { columns, tableRowCount: lines } = layout;
	const width = hasDetail ? tableWidth(screen, columns, accounts.length) : columns;
	const { allRows } = shown;
	const own = all.viewSelectors.ownEmailsOf(accounts);
	if (isMap(screen) && shown.rows.length > 0)
		return <FleetMap {...all} banner={banner} contextOf={contextOf} />;
	const suggestion = completionSuggestion(screen, shown, all.bindings);
	const advice = emptyTableLines(account, allRows.length, screen, now, {
		isPasswordWanted,
		suggestion,
		bindings: all.bindings,
	}).flatMap(spans => wrapSpans(spans, width - emptyTableMargin, theme));
	// Where there are few lines, none of them is blank.
	const empty = advice.length > lines ? advice.filter(spans => spans.length > 0) : advice;
	// Spare lines are counted below the unfiltered fleet, so that what fills them does not move while a filter hides
	// rows.
	const spareLines = lines - Math.max(allRows.length, empty.length);
	return (
		<FleetTable
			ref={all.table}
			allRows={shown.rows}
			firstRow={firstRow}
			lines={lines}
			width={width}
			// Until something is known, the lines of the empty table say what is wrong.
			spareRows={
				isNothingKnown(account)
					? []
					: spareRowsOf({ changes: account.changes, own, lines: spareLines, width, now, theme })
			}
			banner={banner}
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
