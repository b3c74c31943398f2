import { Box } from 'ink';
import type { Ref } from 'react';
import { wrapSpans } from '../drawing/span.ts';
import { chosenChoiceOf, firstVisibleLine } from '../screen/choice.ts';
import { isMap } from '../screen/screen.ts';
import { isNothingKnown } from '../store/read-health.ts';
import { emptyTableLines } from '../wording/frame/empty-table.ts';
import { completionSuggestion } from '../wording/frame/filter-line.ts';
import { spareRows } from '../wording/frame/spare-rows.ts';
import { rulesAboveTable } from '../wording/table/table-rules.ts';
import { ClickableLine } from './ClickableLine.tsx';
import { tableWidth } from './fleet/column-widths.ts';
import type { DrawnTable } from './fleet/DrawnTable.ts';
import { FleetMap } from './fleet/FleetMap.tsx';
import { FleetTable } from './fleet/FleetTable.tsx';
import { framingLines } from './framing-lines.ts';
import { Header } from './Header.tsx';
import { Line } from './Line.tsx';
import { isTableShown, type OpenText, openText } from './open-text.ts';
import type { Scene } from './scene.ts';
import { TextView } from './TextView.tsx';

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

type Props = { scene: Scene; table: Ref<DrawnTable> };

export function FleetScreen({ scene: props, table }: Props) {
	const { account, accounts, badge, profiles, counts, statusAges, runway, layout, now, theme } =
		props;
	const { operationsState, canSignIn, isPasswordWanted, replay } = props;
	const { columns: width } = layout;
	const text = openText(props);
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
			<Body
				all={props}
				table={table}
				text={text}
				banner={layout.hasRuleAbove ? undefined : bannerInstead}
			/>
			{layout.hasRuleBelow && <Line text={below} />}
			{layout.hasActivity && <Line text={activity} />}
			<ClickableLine line={keys} />
		</>
	);
}

type BodyProps = {
	all: Scene;
	table: Ref<DrawnTable>;
	text: OpenText | undefined;
	banner: string | undefined;
};

/**
 * The part between the rules. It shows the table, an open text, or both side by side. An open text is the help, a
 * view or the details.
 */
function Body({ all, table, text, banner }: BodyProps) {
	const { screen, layout, isLowBandwidth, theme } = all;
	const lines = layout.tableRowCount + 1;
	const stack = text && (
		<TextView
			title={text.title}
			lines={text.lines}
			firstLine={firstVisibleLine(screen, text.choiceList)}
			chosenId={chosenChoiceOf(screen, text.choiceList)?.id}
			width={text.width}
			height={lines}
			isLowBandwidth={isLowBandwidth}
			theme={theme}
		/>
	);
	if (!isTableShown(all, text)) return stack;
	return (
		<Box height={lines}>
			<Table all={all} table={table} hasDetail={text !== undefined} banner={banner} />
			{stack && <Line text={' '} />}
			{stack}
		</Box>
	);
}

type TableProps = {
	all: Scene;
	table: Ref<DrawnTable>;
	hasDetail: boolean;
	banner: string | undefined;
};

function Table({ all, table, hasDetail, banner }: TableProps) {
	const { account, accounts, screen, shown, layout } = all;
	const { isPasswordWanted, now, theme } = all;
	const { columns, tableRowCount: lines } = layout;
	const width = hasDetail ? tableWidth(screen, columns, accounts.length) : columns;
	const { allRows } = shown;
	if (isMap(screen) && shown.rows.length > 0)
		return <FleetMap ref={table} scene={all} banner={banner} />;
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
			ref={table}
			scene={all}
			width={width}
			// Until something is known, the lines of the empty table say what is wrong.
			spareRows={isNothingKnown(account) ? [] : spareRows(all, spareLines, width)}
			banner={banner}
			emptyLines={empty}
		/>
	);
}
