import { Box, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Ticker } from '../foundation/clock.ts';
import type { Intent } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { holdsOrder, ignoresEarlyKeys, keyContextOf, openDialogOf } from '../keys/open-dialog.ts';
import { createTheme, type Theme } from '../lines/theme.ts';
import { firstVisibleRow, isMap, type Screen } from '../screen/screen.ts';
import type { TerminalState } from '../terminal/features/terminal-state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { orderHeldMs } from '../wording/table/held-order.ts';
import type { VisibleRows } from '../wording/table/visible-rows.ts';
import type { AddressesOf } from '../wording/views/ports-table.ts';
import { createSelectors } from './app-selectors.ts';
import { ClickAreasContext, createClickAreas } from './click-areas.ts';
import type { DrawnTable } from './DrawnTable.ts';
import { openBox } from './dialogs/open-dialog.ts';
import { FleetScreen } from './FleetScreen.tsx';
import { isCountingDown, isNoticeTemporary } from './frame/messages.ts';
import { extraRuleCount } from './frame/rules.ts';
import { useInputHandlers } from './input-handlers.ts';
import { Line } from './Line.tsx';
import { layoutFor, minScreenSize } from './layout.ts';
import type { MonitorData, ScreenAndTerminal, Store } from './monitor-data.ts';
import { Overlay } from './Overlay.tsx';
import { Pointer } from './Pointer.tsx';
import { usePreparedLetter, useSteadyRows } from './row-hooks.ts';
import type { Scene } from './scene.ts';

type Props = {
	addressesOf: AddressesOf;
	monitorData: Store<MonitorData>;
	screenAndTerminal: Store<ScreenAndTerminal>;
	clock: Ticker;
	/** The credits are low if they last no longer than this. */
	lowCreditsMs: number;
	onMouse: Terminal['onMouse'];
	dispatcher: Dispatcher;
	/** Called with the intent of a pressed key, and with the rows that were on screen at that moment. */
	onIntent: (intent: Intent, shown: VisibleRows) => void;
	/** Called whenever the rows that pass the filter change, or the visible ones among them. */
	onRowsShown: (shown: VisibleRows, visible: readonly GlobalId[]) => void;
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
 */
export function App(props: Props) {
	const { clock, onRowsShown, onDialogDrawn } = props;
	const { columns, rows } = useWindowSize();
	const monitorData = useSyncExternalStore(props.monitorData.subscribe, props.monitorData.getState);
	const { screen, terminal } = useSyncExternalStore(
		props.screenAndTerminal.subscribe,
		props.screenAndTerminal.getState,
	);
	const now = useSyncExternalStore(clock.subscribe, clock.now);
	const { isLowBandwidth } = terminal;
	const theme = useTheme(terminal, screen.themeChoice);
	const { lowCreditsMs } = props;
	const selectors = useMemo(() => createSelectors(lowCreditsMs), [lowCreditsMs]);
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
	// Ink has written the frame before the layout effects run. For `useEffect`, React would also plan a turn of the event loop
	// in each frame.
	useLayoutEffect(() => {
		onRowsShown(shown, shown.ids.slice(first, first + shown.maxRows));
	}, [shown, first, onRowsShown]);
	usePreparedLetter(screen, shown);
	const steadyRows = useSteadyRows(shown, first, now, isLowBandwidth && !isMap(screen));

	// On a slow line, ages are shown in minutes. A countdown needs every second, and so does a message that disappears.
	const waitingFor = useMemo(() => monitorData.waitReasonsAt(now), [monitorData, now]);
	const needsSeconds =
		isCountingDown({ account, waitingFor }) || isNoticeTemporary(screen.notice, now);
	const isByMinute = isLowBandwidth && !needsSeconds;
	useEffect(() => clock.setStep(isByMinute ? 'minute' : 'second'), [clock, isByMinute]);

	const scene: Scene | undefined = layout.isTooSmall
		? undefined
		: {
				accounts,
				account,
				profiles: monitorData.profiles,
				badge: monitorData.badge,
				runway: selectors.runwayOf(accounts),
				addressesOf: props.addressesOf,
				replay: monitorData.replay,
				operationsState: monitorData.operations,
				waitingFor,
				estimateTimeLeft: batch => monitorData.estimateTimeLeft(batch, now),
				canSignIn: monitorData.canSignIn,
				isPasswordWanted: monitorData.passwordPrompt !== undefined,
				canChange: !monitorData.operations.isReadOnly,
				screen,
				shown: steadyRows,
				firstRow: first,
				counts: selectors.withOldApart(
					selectors.countsOf(shown.allRows),
					shown.allRows,
					accounts,
					now,
				),
				statusAges: selectors.statusAgesOf(accounts, shown.rows, first, shown.maxRows, now),
				bindings: monitorData.bindings,
				exitSummary: monitorData.exitSummary,
				keyContext: keyContextOf(dialog, screen),
				isDialogOpen: dialog !== undefined,
				width: columns,
				height: layout.tableRowCount + 1,
				layout,
				hasUnicode: terminal.hasUnicode,
				isLowBandwidth,
				times: theme.times,
				now,
				theme,
				viewSelectors: selectors.viewSelectors,
			};

	const box = dialog && scene && openBox(dialog, scene);
	const drawnDialog = dialog && scene && ignoresEarlyKeys(dialog) ? dialog.entry.id : undefined;
	const drawnStep = dialog?.entry.answers.length;
	const isCut = box?.isCut ?? false;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each step of a dialog is drawn anew
	useLayoutEffect(() => {
		if (drawnDialog !== undefined) onDialogDrawn({ isCut });
	}, [drawnDialog, drawnStep, isCut, onDialogDrawn]);

	const input = useInputHandlers({ ...props, selectors, layout, theme, lastKeyAt });

	return (
		<ClickAreasContext value={areas}>
			<Box flexDirection="column" width="100%" height={rows}>
				<Keyboard
					dispatcher={props.dispatcher}
					getContext={input.getContext}
					onIntent={input.perform}
				/>
				<Pointer {...input} onMouse={props.onMouse} table={table} areas={areas} />
				{layout.isTooSmall ? (
					<Line
						text={`crowsnest needs ${minScreenSize.columns}x${minScreenSize.rows}`.slice(
							0,
							columns,
						)}
					/>
				) : (
					scene && <FleetScreen scene={scene} table={table} />
				)}
				{box && scene && <Overlay box={box} scene={scene} />}
			</Box>
		</ClickAreasContext>
	);
}

function useTheme(terminal: TerminalState, chosen: Screen['themeChoice']): Theme {
	const { colourBits, hasUnicode, isLowBandwidth: isCoarse } = terminal;
	const background = chosen ?? terminal.background ?? 'dark';
	return useMemo(
		() => createTheme({ colourBits, background, hasUnicode, hasCoarseTimes: isCoarse }),
		[colourBits, background, hasUnicode, isCoarse],
	);
}
