import { Box, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type StoreApi, useStore } from 'zustand';
import { type Layout, layoutFor, minScreenSize } from '../drawing/layout.ts';
import { type Badge, createTheme, type Theme } from '../drawing/theme.ts';
import type { Ticker } from '../fleet/clock.ts';
import type { PasswordPromptSource } from '../fleet/password-prompt.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { keyContext } from '../keys/key-context.ts';
import type { Operations } from '../operations/operations.ts';
import { firstVisibleRow, type Screen } from '../screen/screen.ts';
import { createCountsSelector, createRunwaySelector } from '../store/selectors.ts';
import { emptyAccount, type State } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isCountingDown } from '../wording/countdown-text.ts';
import { maxTextScroll } from '../wording/open-text.ts';
import type { AddressBuilders } from '../wording/ports-table.ts';
import type { ReplayState } from '../wording/replay-text.ts';
import { noSteadyUsage, withSteadyUsage } from '../wording/steady-usage.ts';
import { createViewSelectors } from '../wording/view-texts.ts';
import { createVisibleRows, type VisibleRows } from '../wording/visible-rows.ts';
import { FleetScreen } from './FleetScreen.tsx';
import type { DrawnTable } from './FleetTable.tsx';
import { Line } from './Line.tsx';
import { Overlay, overlayOf } from './Overlay.tsx';
import { Pointer } from './Pointer.tsx';

type Props = AddressBuilders & {
	stateStore: { getState(): State; subscribe(call: () => void): () => void };
	screenStore: StoreApi<Screen>;
	operations: Operations;
	/** The prompts for a password; undefined where no password can be typed. */
	passwordRequest: PasswordPromptSource | undefined;
	ticker: Ticker;
	/** The player of the recording that is replayed; undefined when nothing is replayed. */
	player: { subscribe(call: () => void): () => void; replayState(): ReplayState } | undefined;
	terminal: Pick<Terminal, 'state' | 'onStateChange' | 'onMouse'>;
	badge: StoreApi<Badge> | undefined;
	dispatcher: Dispatcher;
	/** The bindings that help and footer offer. */
	bindings: readonly Binding[];
	/** Called with the intent of a key, and the rows that were shown when it was pressed. */
	onIntent: (intent: Intent, shown: VisibleRows) => void;
	/** Called whenever the rows that pass the filter change, or the visible ones among them. */
	onRowsShown: (shown: VisibleRows, visible: readonly string[]) => void;
	/** Called when a dialog becomes visible, also when it reappears after it was covered. */
	onDialogDrawn: () => void;
};

/**
 * Everything on screen, with keyboard and mouse:
 *
 *    ┌────────────────────────────┐
 *    │ FleetScreen                │    on a tiny terminal: the size that it needs
 *    │      ╭ Overlay ──────╮     │    a dialog, the palette or the choice of columns
 *    │      ╰───────────────╯     │
 *    └────────────────────────────┘
 *
 * The function is long because every part of the screen gets its props here.
 */
export function App(props: Props) {
	const { screenStore, operations, passwordRequest, ticker, terminal, bindings } = props;
	const { player, onIntent, onRowsShown, onDialogDrawn, publicAddress, shareAddress } = props;
	const { columns, rows } = useWindowSize();
	const now = useSyncExternalStore(ticker.subscribe, ticker.now);
	const replay = useSyncExternalStore(
		player?.subscribe ?? subscribeToNothing,
		player?.replayState ?? getNothing,
	);
	const badge = useSyncExternalStore(
		props.badge?.subscribe ?? subscribeToNothing,
		props.badge?.getState ?? getNothing,
	);
	const prompt = useSyncExternalStore(
		passwordRequest?.subscribe ?? subscribeToNothing,
		passwordRequest?.prompt ?? getNothing,
	);
	const screen = useStore(screenStore);
	const operationsState = useSyncExternalStore(operations.subscribe, operations.state);
	const account =
		useSyncExternalStore(props.stateStore.subscribe, () =>
			props.stateStore.getState().accounts.get(screen.account),
		) ?? emptyAccount;
	const { isLowBandwidth } = useSyncExternalStore(terminal.onStateChange, terminal.state);
	const theme = useTheme(terminal);
	const selectors = useMemo(createSelectors, []);
	const table = useRef<DrawnTable>(null);

	const layout = layoutFor(columns, rows);
	const shown = selectors.visibleRows({ account, screen, layout, now });
	const first = firstVisibleRow(screen, shown);
	useEffect(() => {
		onRowsShown(shown, shown.ids.slice(first, first + shown.lines));
	}, [shown, first, onRowsShown]);
	const steadyRows = useSteadyRows(shown, first, now, isLowBandwidth);

	// On a slow line ages are shown to the minute, but a countdown always to the second.
	const waitingFor = operations.waitReasonsAt(now);
	const isByMinute = isLowBandwidth && !isCountingDown({ account, waitingFor });
	useEffect(() => ticker.setStep(isByMinute ? 'minute' : 'second'), [ticker, isByMinute]);

	const openDialog = screen.confirmation?.about ?? prompt ?? operationsState.question?.id;
	const seenDialog = layout.isTooSmall ? undefined : openDialog;
	useLayoutEffect(() => {
		if (seenDialog !== undefined) onDialogDrawn();
	}, [seenDialog, onDialogDrawn]);
	const overlay = overlayOf({
		...props,
		...{ account, screen, operationsState, prompt, shown, layout, theme, now },
	});

	const shownNow = () => readVisibleRows(props, { selectors, layout, theme });
	const getContext = () => {
		if (layout.isTooSmall) return 'tooSmall';
		return keyContext(
			screenStore.getState(),
			operations.state(),
			Boolean(passwordRequest?.prompt()),
		);
	};

	return (
		<Box flexDirection="column" width="100%" height={rows}>
			<Keyboard
				dispatcher={props.dispatcher}
				getContext={getContext}
				onIntent={intent => onIntent(intent, shownNow())}
			/>
			<Pointer
				onMouse={terminal.onMouse}
				table={table}
				getContext={getContext}
				getScreen={screenStore.getState}
				getRowIds={() => shownNow().ids}
				onMove={move => onIntent({ type: 'move', move }, shownNow())}
			/>
			{layout.isTooSmall ? (
				<Line
					text={`crowsnest needs ${minScreenSize.columns}x${minScreenSize.rows}`.slice(0, columns)}
				/>
			) : (
				<FleetScreen
					account={account}
					screen={screen}
					shown={steadyRows}
					firstRow={first}
					counts={selectors.countsOf(shown.allRows)}
					runway={selectors.runwayOf(account)}
					layout={layout}
					bindings={bindings}
					operationsState={operationsState}
					isPasswordDialogOpen={prompt !== undefined}
					canSignIn={passwordRequest !== undefined}
					waitingFor={waitingFor}
					timeLeft={batch => operations.estimateTimeLeft(batch, now)}
					table={table}
					badge={badge}
					replay={replay}
					viewSelectors={selectors.viewSelectors}
					isLowBandwidth={isLowBandwidth}
					publicAddress={publicAddress}
					shareAddress={shareAddress}
					now={now}
					theme={theme}
				/>
			)}
			{overlay && !layout.isTooSmall && <Overlay {...overlay} columns={columns} rows={rows} />}
		</Box>
	);
}

/** Creates the selectors, each of which keeps its last result until its input changes. */
function createSelectors() {
	return {
		visibleRows: createVisibleRows(),
		countsOf: createCountsSelector(),
		runwayOf: createRunwaySelector(),
		viewSelectors: createViewSelectors(),
	};
}

function useTheme(terminal: Props['terminal']): Theme {
	const state = useSyncExternalStore(terminal.onStateChange, terminal.state);
	const { colourBits, background = 'dark', hasUnicode, isLowBandwidth: isCoarse } = state;
	return useMemo(
		() => createTheme({ colourBits, background, hasUnicode, hasCoarseTimes: isCoarse }),
		[colourBits, background, hasUnicode, isCoarse],
	);
}

/** On a slow line, updates the CPU and memory of each row only once a minute. */
function useSteadyRows(shown: VisibleRows, first: number, now: number, isSlow: boolean) {
	const [usage, setUsage] = useState(noSteadyUsage);
	const held = isSlow ? withSteadyUsage(usage, { shown, first, now }) : { shown, steady: usage };
	useEffect(() => setUsage(held.steady), [held.steady]);
	return held.shown;
}

/**
 * Returns the rows that the screen shows at this moment, read from the stores and not from the last render.
 * When several keys arrive together, each acts on the result of the previous key.
 */
function readVisibleRows(
	{ stateStore, screenStore, operations, ticker, bindings, publicAddress, shareAddress }: Props,
	drawn: { selectors: ReturnType<typeof createSelectors>; layout: Layout; theme: Theme },
): VisibleRows {
	const { selectors, layout, theme } = drawn;
	const screen = screenStore.getState();
	const account = stateStore.getState().accounts.get(screen.account) ?? emptyAccount;
	const now = ticker.now();
	const shown = selectors.visibleRows({ account, screen, layout, now });
	if (layout.isTooSmall) return shown;
	const scrollable = () =>
		maxTextScroll({
			...{ account, screen, shown, bindings, publicAddress, shareAddress, now, theme },
			viewSelectors: selectors.viewSelectors,
			runway: selectors.runwayOf(account),
			operationsState: operations.state(),
			waitingFor: operations.waitReasonsAt(now),
			width: layout.columns,
			lines: layout.tableLines + 1,
		});
	return { ...shown, maxScroll: scrollable };
}

const subscribeToNothing = () => () => {};
const getNothing = () => undefined;
