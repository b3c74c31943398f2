import { Box, Text } from 'ink';
import { painted } from '../lines/paint.ts';
import { wrap } from '../lines/span.ts';
import { tableWidth } from './fleet/column-widths.ts';
import { FleetMap } from './fleet/FleetMap.tsx';
import { FleetTable } from './fleet/FleetTable.tsx';
import { bodyFactsOf } from './frame/body-facts.ts';
import { emptyTableLines } from './frame/empty-table.ts';
import { completionSuggestion } from './frame/filter-line.ts';
import { footerLines } from './frame/footer.ts';
import { headerLines } from './frame/header.ts';
import { replayRule } from './frame/replay.ts';
import { alarmRules, ruleBelow, viewRule } from './frame/rules.ts';
import { spareLines } from './frame/spare-lines.ts';
import { chosenChoiceOf, firstVisibleLine } from './look/choice.ts';
import { currentFilter, isMap } from './look/screen.ts';
import { isTableShown, type OpenText, openText } from './open-text.ts';
import { Region } from './Region.tsx';
import type { Scene } from './scene.ts';
import { TextView } from './TextView.tsx';

const emptyTableMargin = 4;

// The screen from top to bottom: header, rule, body (the table here), rule, messages, keys.
//
//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log  owner@example.com · Pro   credits 38.75   −0.90/h  2 d 2 h left
//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                                     live, 2 s ago
// ─ trouble first ──────────────────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
//    NAME           STATUS        STAGE                               CPU  30 MIN     MEM  VERSION   UPTIME  PORTS
//  ❯ draco          ✖ Error       image pull failed: disk quota exceeded                  1.4.2
// ──────────────────────────────────────────────────────────────────────────────────────────────── 1–24 of 996 ──
//  Stopping atlas in 4 s, Esc to cancel
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit

type Props = { scene: Scene };

export function FleetScreen({ scene }: Props) {
	const { screen, layout, replay, theme } = scene;
	const text = openText(scene);
	const facts = bodyFactsOf(scene, text);
	const alarms = alarmRules(scene, facts);
	const above = alarms.length > 0 ? alarms : [viewRule(scene, facts)];
	// A screen without a rule above the table shows an alarm or the filter in place of the column titles, so that a filtered
	// table never looks complete.
	const isNeeded = alarms.length > 0 || currentFilter(screen) !== '';
	const banner = isNeeded && !layout.hasRuleAbove ? above[0] : undefined;
	return (
		<>
			<Region lines={headerLines(scene)} theme={theme} />
			{layout.hasRuleAbove && <Region lines={above} theme={theme} />}
			<Body scene={scene} text={text} banner={banner && painted(banner, theme)} />
			{layout.hasRuleBelow && (
				<Region
					lines={[replay ? replayRule(replay, scene.width) : ruleBelow(scene, facts)]}
					theme={theme}
				/>
			)}
			<Region lines={footerLines(scene, facts)} theme={theme} />
		</>
	);
}

type BodyProps = Props & { text: OpenText | undefined; banner: string | undefined };

function Body(props: BodyProps) {
	const { scene, text } = props;
	const { screen, layout, isLowBandwidth, theme } = scene;
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
	if (!isTableShown(scene, text)) return stack;
	return (
		<Box height={lines}>
			<Table {...props} />
			{stack && <Text> </Text>}
			{stack}
		</Box>
	);
}

function Table({ scene, text, banner }: BodyProps) {
	const { accounts, screen, shown, layout, theme } = scene;
	const { columns, tableRowCount: lines } = layout;
	const width = text ? tableWidth(screen, columns, accounts.length) : columns;
	const { allRows } = shown;
	if (isMap(screen) && shown.rows.length > 0) return <FleetMap scene={scene} banner={banner} />;
	const advice = emptyTableLines(scene, allRows.length, completionSuggestion(scene)).flatMap(
		spans => wrap(spans, width - emptyTableMargin),
	);
	// Where there are few lines, none of them is blank.
	const empty = advice.length > lines ? advice.filter(spans => spans.length > 0) : advice;
	// Spare lines are counted below the unfiltered fleet, so that what fills them does not move while a filter hides
	// rows.
	const spareLineCount = lines - Math.max(allRows.length, empty.length);
	return (
		<FleetTable
			scene={scene}
			width={width}
			spareRows={spareLines(scene, spareLineCount, width).map(spans => painted(spans, theme))}
			banner={banner}
			emptyLines={empty}
		/>
	);
}
