import { Box, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { type Layout, layoutFor, minScreenSize } from '../drawing/layout.ts';
import { createTheme, type Theme } from '../drawing/theme.ts';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Ticker } from '../foundation/clock.ts';
import type { Intent } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { holdsOrder, ignoresEarlyKeys, keyContextOf, openDialogOf } from '../keys/open-dialog.ts';
import { firstVisibleRow, isMap, type Screen } from '../screen/screen.ts';
import { createJointAccountSelector, createJointRunwaySelector } from '../store/joint-account.ts';
import { createOpenedAccountsSelector } from '../store/opened-accounts.ts';
import { createCountsSelector } from '../store/selectors.ts';
import type { TerminalState } from '../terminal/features/terminal-state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isNoticePassing } from '../wording/frame/messages.ts';
import { isCountingDown } from '../wording/frame/progress-text.ts';
import { mapSizeOf } from '../wording/map/fleet-map.ts';
import { orderHeldMs } from '../wording/table/held-order.ts';
import { extraRuleCount } from '../wording/table/table-rules.ts';
import { createVisibleRows, type VisibleRows } from '../wording/table/visible-rows.ts';
import { maxTextScroll, openText } from '../wording/views/open-text.ts';
import type { AddressesOf } from '../wording/views/ports-table.ts';
import { createViewSelectors } from '../wording/views/view-texts.ts';
import { ClickAreasContext, createClickAreas } from './click-areas.ts';
import type { DrawnTable } from './DrawnTable.ts';
import { FleetScreen } from './FleetScreen.tsx';
import { Line } from './Line.tsx';
import type { MonitorData, ScreenAndTerminal } from './monitor-data.ts';
import { dialogFrameOf, Overlay } from './Overlay.tsx';
import { Pointer } from './Pointer.tsx';
import { usePreparedLetter, useSteadyRows } from './row-hooks.ts';
import type { ScreenProps } from './screen-props.ts';

type Store<T> = { getState: () => T; subscribe: (listener: () => void) => () => void };

type Props = {
	addressesOf: AddressesOf;
	monitorData: Store<MonitorData>;
	screenAndTerminal: Store<ScreenAndTerminal>;
	clock: Ticker;
	onMouse: Terminal['onMouse'];
	dispatcher: Dispatcher;
	/** Called with the intent of a pressed key, and with the rows that were on screen at that moment. */
	onIntent: (intent: Intent, shown: VisibleRows) => void;
	/** Called whenever the rows that pass the filter change, or the visible ones among them. */
	onRowsShown: (shown: VisibleRows, visible: readonly GlobalId[]) => void;
	onTableDrawn?: ScreenProps['onTableDrawn'];
	/** Called when a dialog appears or reappears, and when a resize shows more or less of the dialog. */
	onDialogDrawn: (drawing: { isCut: boolean }) => void;
};

/**
 * Everything on screen, with keyboard and mouse:
 *
 *    ┌────────────────────────────┐
 *    │ FleetScreen                │    on a tiny terminal: the size that it needs
 *    │      ╭ Overlay ──────╮     │    a dialog, the palette or the choice of columns
 *    │      ╰───────────────╯     │
 *    └────────────────────────────┘
 * The function is long because every part of the screen gets its props here.
 */
export function App(props: Props) {
	const { clock, onIntent, onRowsShown, onDialogDrawn } = props;
	const { columns, rows } = useWindowSize();
	const monitorData = useSyncExternalStore(props.monitorData.subscribe, props.monitorData.getState);
	const { screen, terminal } = useSyncExternalStore(
		props.screenAndTerminal.subscribe,
		props.screenAndTerminal.getState,
	);
	const now = useSyncExternalStore(clock.subscribe, clock.now);
	const { isLowBandwidth } = terminal;
	const theme = useTheme(terminal, screen.themeChoice);
	const selectors = useMemo(createSelectors, []);
	const accounts = selectors.accountsOf(monitorData.accounts, monitorData.profiles);
	const account = selectors.jointAccount(accounts);
	const table = useRef<DrawnTable>(null);
	const areas = useMemo(createClickAreas, []);

	const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
	const layout = layoutFor(columns, rows, extraRuleCount(accounts, now));
	const dialog = openDialogOf(screen, monitorData);
	const isHeldByDialog = dialog !== undefined && holdsOrder(dialog);
	const isOrderHeld = isHeldByDialog || now - lastKeyAt.current < orderHeldMs;
	const shown = selectors.visibleRows({ accounts, screen, layout, isOrderHeld, now });
	const first = firstVisibleRow(screen, shown);
	useEffect(() => {
		onRowsShown(shown, shown.ids.slice(first, first + shown.maxRows));
	}, [shown, first, onRowsShown]);
	usePreparedLetter(screen, shown);
	const steadyRows = useSteadyRows(shown, first, now, isLowBandwidth && !isMap(screen));

	// On a slow line, ages are shown in minutes, but countdowns always in seconds. A message leaves in time.
	const waitingFor = useMemo(() => monitorData.waitReasonsAt(now), [monitorData, now]);
	const needsSeconds =
		isCountingDown({ account, waitingFor }) || isNoticePassing(screen.notice, now);
	const isByMinute = isLowBandwidth && !needsSeconds;
	useEffect(() => clock.setStep(isByMinute ? 'minute' : 'second'), [clock, isByMinute]);

	const { bindings, exitSummary, findPaletteItems } = monitorData;
	const overlay =
		dialog &&
		dialogFrameOf(dialog, {
			...{ accounts, screen, layout, bindings, theme },
			tableView: { ...(screen.tableWhenAsked ?? { ...shown, screen }), now },
			...{ exitSummary, findPaletteItems, shown },
		});
	const isNoted = dialog !== undefined && ignoresEarlyKeys(dialog) && !layout.isTooSmall;
	const drawnDialog = isNoted ? dialog.entry.id : undefined;
	const isCut = overlay?.isCut ?? false;
	useLayoutEffect(() => {
		if (drawnDialog !== undefined) onDialogDrawn({ isCut });
	}, [drawnDialog, isCut, onDialogDrawn]);

	const shownNow = () => readVisibleRows(props, { selectors, layout, theme });
	const onKeyIntent = (intent: Intent) => {
		lastKeyAt.current = clock.now();
		onIntent(intent, shownNow());
	};
	const getScreen = () => props.screenAndTerminal.getState().screen;
	const getContext = () => {
		if (layout.isTooSmall) return 'tooSmall';
		const screenNow = getScreen();
		return keyContextOf(openDialogOf(screenNow, props.monitorData.getState()), screenNow);
	};

	return (
		<ClickAreasContext value={areas}>
			<Box flexDirection="column" width="100%" height={rows}>
				<Keyboard dispatcher={props.dispatcher} getContext={getContext} onIntent={onKeyIntent} />
				<Pointer
					onMouse={props.onMouse}
					table={table}
					getContext={getContext}
					getScreen={getScreen}
					getRowIds={() => shownNow().ids}
					areas={areas}
					press={key => {
						const intent = props.dispatcher(key, getContext());
						if (intent) onKeyIntent(intent);
					}}
					perform={onKeyIntent}
				/>
				{layout.isTooSmall ? (
					<Line
						text={`crowsnest needs ${minScreenSize.columns}x${minScreenSize.rows}`.slice(
							0,
							columns,
						)}
					/>
				) : (
					<FleetScreen
						accounts={accounts}
						account={account}
						addressesOf={props.addressesOf}
						screen={screen}
						shown={steadyRows}
						firstRow={first}
						counts={selectors.countsOf(shown.allRows)}
						runway={selectors.runwayOf(accounts)}
						layout={layout}
						bindings={bindings}
						operationsState={monitorData.operations}
						keyContext={keyContextOf(dialog, screen)}
						canSignIn={monitorData.canSignIn}
						isPasswordWanted={monitorData.passwordPrompt !== undefined}
						waitingFor={waitingFor}
						estimateTimeLeft={batch => monitorData.estimateTimeLeft(batch, now)}
						table={table}
						badge={monitorData.badge}
						profiles={monitorData.profiles}
						replay={monitorData.replay}
						viewSelectors={selectors.viewSelectors}
						isDialogOpen={dialog !== undefined}
						onTableDrawn={props.onTableDrawn}
						isLowBandwidth={isLowBandwidth}
						now={now}
						theme={theme}
					/>
				)}
				{overlay && !layout.isTooSmall && <Overlay {...overlay} columns={columns} rows={rows} />}
			</Box>
		</ClickAreasContext>
	);
}

/** Creates the selectors, each of which keeps its last result until its input changes. */
function createSelectors() {
	return {
		accountsOf: createOpenedAccountsSelector(),
		jointAccount: createJointAccountSelector(),
		visibleRows: createVisibleRows(),
		countsOf: createCountsSelector(),
		runwayOf: createJointRunwaySelector(),
		viewSelectors: createViewSelectors(),
	};
}

function useTheme(terminal: TerminalState, chosen: Screen['themeChoice']): Theme {
	const { colourBits, hasUnicode, isLowBandwidth: isCoarse } = terminal;
	const background = chosen ?? terminal.background ?? 'dark';
	return useMemo(
		() => createTheme({ colourBits, background, hasUnicode, hasCoarseTimes: isCoarse }),
		[colourBits, background, hasUnicode, isCoarse],
	);
}

/**
 * Returns the rows of the current state, which the last render may not show yet. When several keys arrive together,
 * each acts on the result of the previous key.
 */
function readVisibleRows(
	{ monitorData, screenAndTerminal, clock, addressesOf }: Props,
	drawn: { selectors: ReturnType<typeof createSelectors>; layout: Layout; theme: Theme },
): VisibleRows {
	const { selectors, layout, theme } = drawn;
	const { screen } = screenAndTerminal.getState();
	const data = monitorData.getState();
	const { operations, waitReasonsAt, estimateTimeLeft, bindings } = data;
	const accounts = selectors.accountsOf(data.accounts, data.profiles);
	const now = clock.now();
	// A key acts on the rows in the order in which the person saw them.
	const rowsOf = (screen: Screen) =>
		selectors.visibleRows({ accounts, screen, layout, isOrderHeld: true, now });
	const shown = rowsOf(screen);
	if (layout.isTooSmall) return shown;
	const drawnNow = { accounts, screen, shown, now, theme };
	const textOptions = () => ({
		...{ ...drawnNow, bindings, addressesOf },
		...{ account: selectors.jointAccount(accounts), viewSelectors: selectors.viewSelectors },
		runway: selectors.runwayOf(accounts),
		operationsState: operations,
		waitingFor: waitReasonsAt(now),
		estimateTimeLeft: (batch: string) => estimateTimeLeft(batch, now),
		...{ width: layout.columns, lines: layout.tableRowCount + 1 },
	});
	const { fleetMap } = selectors.viewSelectors;
	return {
		...shown,
		filterCompletions: line =>
			(openText(textOptions())?.filterCompletions ?? shown.filterCompletions)(line),
		idsFor: changed => rowsOf(changed).ids,
		cellMap: () => fleetMap.cellMapOf({ ...drawnNow, ...mapSizeOf(layout) }),
		maxScroll: () => maxTextScroll(textOptions()),
		choiceList: () => openText(textOptions())?.choiceList,
	};
}
