import { Box } from 'ink';
import type { Ref } from 'react';
import { detailPlace, type Layout, tableWidth } from '../drawing/layout.ts';
import type { Badge, Theme } from '../drawing/theme.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Binding } from '../keys/binding.ts';
import { keyContext } from '../keys/key-context.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import { cursorIndex, filterProblem, hiddenMarks, type Screen } from '../screen/screen.ts';
import type { Counts } from '../store/selectors.ts';
import type { AccountState } from '../store/state.ts';
import { contextOf } from '../wording/cell-context.ts';
import { countdownText } from '../wording/countdown-text.ts';
import { openDetail } from '../wording/detail-text.ts';
import { emptyText } from '../wording/empty-text.ts';
import { activityLine, keysLine } from '../wording/footer-text.ts';
import { countsLine, titleLine } from '../wording/header-text.ts';
import type { Addresses } from '../wording/ports-table.ts';
import { progressLine } from '../wording/progress-text.ts';
import {
	type ReplayState,
	replayLine,
	replayWords,
	withReplayHints,
} from '../wording/replay-text.ts';
import { ruleAbove, ruleBelow } from '../wording/table-rules.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import { DetailView } from './DetailView.tsx';
import { FleetTable, type TablePlace } from './FleetTable.tsx';
import { Help } from './Help.tsx';
import { Line } from './Line.tsx';
import { OtherView, type Selections } from './OtherView.tsx';

//  crowsnest  owner@example.com · Pro                                 credits 41.50  −0.82/h  2d 2h left
//  24 computers  ● 17 active  ◐ 2 creating  ○ 4 stopped               ● live 4s   other 22/30
// ──────────────────────────────────────────────────────────────────────────────────────────────────────
//    NAME           STATUS        STAGE                                VERSION   UPTIME    CPU    SEEN
//  ❯ atlas          ● Active                                           1.4.2      6d 4h    12%      2s
// ──────────────────────────────────────────────────────────────────────────────────── 1–24 of 1000 ──
//  08:14 borealis: creating → active in 48s             08:12 you stopped eridanus
//  / filter  ? help  q quit

type Props = Addresses & {
	account: AccountState;
	screen: Screen;
	badge: Badge | undefined;
	/** Where in a recording this is, if it is one. */
	replay?: ReplayState | undefined;
	table?: Ref<TablePlace> | undefined;
	shown: VisibleRows;
	/** The first row of the window. */
	first: number;
	counts: Counts;
	runway: Runway | null;
	layout: Extract<Layout, { isTooSmall: false }>;
	bindings: readonly Binding[];
	picture: OperationsState;
	/** A password is asked for: it gets every key. */
	isPasswordWanted: boolean;
	/** A password can be typed here. */
	canSignIn?: boolean;
	waitingFor: Operations['waitingFor'];
	timeLeft: Operations['timeLeft'];
	selections: Selections;
	isLowBandwidth: boolean;
	now: number;
	theme: Theme;
};

export function FleetScreen(props: Props) {
	const { account, screen, shown, first, counts, runway, layout, bindings, now, theme } = props;
	const {
		picture,
		isPasswordWanted,
		canSignIn = false,
		selections,
		replay,
		isLowBandwidth,
	} = props;
	const { columns: width, lines } = layout;
	// That nothing of a recording can be changed goes without saying.
	const isReadOnly = picture.isReadOnly && !replay;
	const about = { account, badge: props.badge, isReadOnly, counts, runway };
	const header = { ...about, replayAt: replay?.time, canSignIn, isLowBandwidth, now, width, theme };
	const place = keyContext(screen, picture, isPasswordWanted);
	const footer = { screen, place, width, now, theme };
	// What is recorded was as old when it was seen.
	const banner = replay ? undefined : ruleAbove({ account, canSignIn, width, now, theme });
	const rule = banner ?? theme.paint('faint', theme.glyphs.rule.repeat(width));
	const asked = { ...props, width };
	const context = contextOf(asked);
	const detail = openDetail(asked);
	const { isBeside } = detailPlace(width);
	const hasTable = screen.view === 'fleet' && !screen.isHelpOpen && (!detail || isBeside);
	const end = detail ? tableWidth(screen, width) : width;
	const window = { first, lines, count: hasTable ? shown.rows.length : 0 };
	const other = { account, screen, runway, selections, width, lines: lines + 1, now, theme };
	const countdown = replay && !layout.hasRules ? replayWords(replay) : countdownText(asked);
	const progress = progressLine({ ...asked, place }, picture.batches);
	const below = replay
		? replayLine(replay, width, theme)
		: ruleBelow({ ...window, end, width, theme });
	const found = foundIn(props);
	// Where there is no line for the news, what is under way takes the place of the hints.
	const isFree = !screen.isFiltering && countdown === undefined;
	const isBusy = progress !== undefined && !layout.hasNews && isFree;
	const problem = filterProblem(account, screen);
	const hidden = hiddenMarks(screen, shown.ids);
	const standing = { ...picture, countdown, found, problem, hidden };
	const keys = replay ? withReplayHints(replay, bindings) : bindings;
	const keysText = isBusy ? progress : keysLine(footer, shown, standing, keys);
	return (
		<>
			<Line text={titleLine(header)} />
			{layout.hasCounts && <Line text={countsLine(header)} />}
			{layout.hasRules && <Line text={rule} />}
			{screen.isHelpOpen ? (
				<Help
					bindings={bindings}
					first={screen.scroll}
					width={width}
					lines={lines + 1}
					isLowBandwidth={isLowBandwidth}
					theme={theme}
				/>
			) : screen.view !== 'fleet' ? (
				<OtherView {...other} isLowBandwidth={isLowBandwidth} />
			) : (
				<Box height={lines + 1}>
					{(!detail || isBeside) && (
						<FleetTable
							ref={props.table}
							rows={shown.rows.slice(first, first + lines)}
							lines={lines}
							width={end}
							banner={layout.hasRules ? undefined : banner}
							marks={screen.marks}
							cursorId={shown.ids[cursorIndex(screen, shown.ids)]}
							ordering={screen.ordering}
							columns={screen.columns}
							context={context}
							empty={emptyText(account, screen, now)}
						/>
					)}
					{detail && isBeside && <Line text={' '} />}
					{detail && (
						<DetailView
							{...detail}
							lines={lines + 1}
							first={screen.scroll}
							isLowBandwidth={isLowBandwidth}
						/>
					)}
				</Box>
			)}
			{layout.hasRules && <Line text={below} />}
			{layout.hasNews && <Line text={progress ?? activityLine(footer, account.changes)} />}
			<Line text={keysText} />
		</>
	);
}

function foundIn({ account, screen, shown, selections }: Props): number {
	if (screen.view !== 'log') return shown.rows.length;
	return selections.logOf(account.changes, screen.logFilter).length;
}
