import { Box, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type StoreApi, useStore } from 'zustand';
import { layoutFor, maxScroll, minSize, tableWidth } from '../drawing/layout.ts';
import { sectionsHeight } from '../drawing/section.ts';
import { type Badge, createTheme } from '../drawing/theme.ts';
import type { Ticker } from '../fleet/clock.ts';
import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { keyContext } from '../keys/key-context.ts';
import { paletteItems } from '../keys/palette.ts';
import type { Operations } from '../operations/operations.ts';
import { firstLine, type Screen } from '../screen/screen.ts';
import { createCountsOf, createRunwayOf } from '../store/selectors.ts';
import { emptyAccount, type State } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsNamed, columnsWithin } from '../wording/column-layout.ts';
import { columnsDialog } from '../wording/columns-text.ts';
import { isCountingDown } from '../wording/countdown-text.ts';
import { detailScrollable } from '../wording/detail-text.ts';
import { dialogLines } from '../wording/dialog-text.ts';
import { helpSections } from '../wording/help-text.ts';
import { paletteLines } from '../wording/palette-text.ts';
import type { Addresses } from '../wording/ports-table.ts';
import { confirmationDialog, questionDialog } from '../wording/question-text.ts';
import type { ReplayState } from '../wording/replay-text.ts';
import { passwordDialog, welcomeDialog } from '../wording/sign-in-text.ts';
import { noSteadyUsage, withSteadyUsage } from '../wording/steady-usage.ts';
import { createVisibleRows, type VisibleRows } from '../wording/visible-rows.ts';
import { FleetScreen } from './FleetScreen.tsx';
import type { TablePlace } from './FleetTable.tsx';
import { Line } from './Line.tsx';
import { createSelections, scrollableOf } from './OtherView.tsx';
import { Overlay } from './Overlay.tsx';
import { Pointer } from './Pointer.tsx';

/** What tells that a password is wanted, and by whom. */
type Desk = { prompt(): PasswordPrompt | undefined; subscribe(call: () => void): () => void };

type Props = Addresses & {
	state: Pick<StoreApi<State>, 'getState' | 'getInitialState' | 'subscribe'>;
	screens: StoreApi<Screen>;
	operations: Operations;
	/** Where a password is asked for; absent where none can be. */
	desk: Desk | undefined;
	ticker: Ticker;
	/** What is shown is a recording. */
	player: { subscribe(call: () => void): () => void; picture(): ReplayState } | undefined;
	terminal: Pick<Terminal, 'state' | 'onStateChange' | 'onMouse'>;
	badge: StoreApi<Badge> | undefined;
	dispatcher: Dispatcher;
	/** Those that help and footer tell of. */
	bindings: readonly Binding[];
	/** What a key asks for, and what was shown when it was pressed. */
	onIntent: (intent: Intent, shown: VisibleRows) => void;
	/** What is shown and which of it is in the window, whenever that changes. */
	onShown: (shown: VisibleRows, visible: readonly string[]) => void;
	/** A dialog was drawn, for the first time or after something had covered it. */
	onDialogDrawn: () => void;
};

/** Everything on screen, and the keyboard. */
export function App(props: Props) {
	const { state, screens, operations, desk, ticker, terminal, dispatcher, bindings } = props;
	const { player, onIntent, onShown, onDialogDrawn, publicAddress, shareAddress } = props;
	const { columns, rows } = useWindowSize();
	const now = useSyncExternalStore(ticker.subscribe, ticker.now);
	const replay = useSyncExternalStore(player?.subscribe ?? never, player?.picture ?? nothing);
	const badge = useSyncExternalStore(
		props.badge?.subscribe ?? never,
		props.badge?.getState ?? nothing,
	);
	const screen = useStore(screens);
	const picture = useSyncExternalStore(operations.subscribe, operations.state);
	const account = useStore(state, all => all.accounts.get(screen.account)) ?? emptyAccount;
	const { colours, background, hasUnicode, isLowBandwidth } = useSyncExternalStore(
		terminal.onStateChange,
		terminal.state,
	);
	const theme = useMemo(
		() =>
			createTheme({
				colours,
				background: background ?? 'dark',
				hasUnicode,
				isCoarse: isLowBandwidth,
			}),
		[colours, background, hasUnicode, isLowBandwidth],
	);
	const shownOf = useMemo(createVisibleRows, []);
	const countsOf = useMemo(createCountsOf, []);
	const runwayOf = useMemo(createRunwayOf, []);
	const selections = useMemo(createSelections, []);
	const [calm, setCalm] = useState(noSteadyUsage);
	const table = useRef<TablePlace>(null);

	const layout = layoutFor(columns, rows);
	const shown = shownOf({ account, screen, layout, now });
	const first = firstLine(screen, shown);
	useEffect(() => {
		onShown(shown, shown.ids.slice(first, first + shown.lines));
	}, [shown, first, onShown]);

	const still = isLowBandwidth ? withSteadyUsage(calm, { shown, first, now }) : { shown, calm };
	useEffect(() => setCalm(still.calm), [still.calm]);

	// Ages are shown to the minute where every change has its price, and countdowns never are.
	const waitingFor = operations.waiting(now);
	const isByMinute = isLowBandwidth && !isCountingDown({ account, waitingFor });
	useEffect(() => ticker.setStep(isByMinute ? 'minute' : 'second'), [ticker, isByMinute]);

	const wanted = useSyncExternalStore(desk?.subscribe ?? never, desk?.prompt ?? nothing);
	const dialog = screen.confirmation
		? confirmationDialog(screen.confirmation, operations.exitSummary())
		: wanted
			? passwordDialog(wanted, screen.passwordLetters)
			: picture.question
				? questionDialog(picture.question, account, { screen, ids: shown.ids, now })
				: screen.isWelcoming && welcomeDialog;

	const asking = screen.confirmation?.about ?? wanted ?? picture.question?.id;
	const inSight = layout.isTooSmall ? undefined : asking;
	useLayoutEffect(() => {
		if (inSight !== undefined) onDialogDrawn();
	}, [inSight, onDialogDrawn]);

	const { palette, columnMenu } = screen;
	const overlay = dialog
		? dialogLines(dialog, layout, theme)
		: columnMenu
			? columnsDialog(columnMenu, placedNames(screen, columns), layout, theme)
			: palette && paletteLines(palette, paletteItems(bindings, palette.text), layout, theme);

	// For each key anew: of several that came at once, each acts on what the one before it did.
	const shownNow = () => {
		const current = screens.getState();
		const latest = state.getState().accounts.get(current.account) ?? emptyAccount;
		const now = ticker.now();
		const shown = shownOf({ account: latest, screen: current, layout, now });
		if (layout.isTooSmall) return shown;
		const lines = layout.lines + 1;
		const runway = runwayOf(latest);
		const asked = {
			account: latest,
			screen: current,
			runway,
			selections,
			width: columns,
			now,
			theme,
		};
		const waitingFor = operations.waiting(now);
		const detail = { ...asked, shown, picture, waitingFor, publicAddress, shareAddress };
		const scrollable = () =>
			current.isHelpOpen
				? maxScroll(sectionsHeight(helpSections({ bindings, width: columns, theme })), lines)
				: current.view === 'fleet'
					? detailScrollable(detail, lines)
					: scrollableOf({ ...asked, lines });
		return { ...shown, scrollable };
	};

	const placeNow = () => {
		if (layout.isTooSmall) return 'unseen';
		return keyContext(screens.getState(), operations.state(), Boolean(desk?.prompt()));
	};

	return (
		<Box flexDirection="column" width="100%" height={rows}>
			<Keyboard
				dispatcher={dispatcher}
				placeNow={placeNow}
				onIntent={intent => onIntent(intent, shownNow())}
			/>
			<Pointer
				onMouse={terminal.onMouse}
				table={table}
				placeNow={placeNow}
				screenNow={screens.getState}
				idsNow={() => shownNow().ids}
				onLook={move => onIntent({ type: 'move', move }, shownNow())}
			/>
			{layout.isTooSmall ? (
				<Line text={`crowsnest needs ${minSize.columns}x${minSize.rows}`.slice(0, columns)} />
			) : (
				<FleetScreen
					account={account}
					screen={screen}
					shown={still.shown}
					first={first}
					counts={countsOf(shown.all)}
					runway={runwayOf(account)}
					layout={layout}
					bindings={bindings}
					picture={picture}
					isPasswordWanted={wanted !== undefined}
					canSignIn={desk !== undefined}
					waitingFor={waitingFor}
					timeLeft={batch => operations.timeLeft(batch, now)}
					table={table}
					badge={badge}
					replay={replay}
					selections={selections}
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

function placedNames(screen: Screen, width: number): readonly string[] {
	const placed = columnsWithin(tableWidth(screen, width) - 4, columnsNamed(screen.columns));
	return placed.map(({ column }) => column.name);
}

const never = () => () => {};
const nothing = () => undefined;
