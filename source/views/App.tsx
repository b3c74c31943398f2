import { Box, useWindowSize } from 'ink';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { Binding, Intent, Place } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { paletteItems } from '../keys/palette.ts';
import type { Operations, Picture } from '../operations/path.ts';
import { createCountsOf } from '../store/counts.ts';
import { createRunwayOf } from '../store/runway.ts';
import { firstLine, type Screen } from '../store/screen.ts';
import { emptyAccount, type State } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Badge } from './badge.ts';
import { dialogLines } from './dialog-text.ts';
import { FleetScreen } from './FleetScreen.tsx';
import { detailScrollable } from './fleet-detail.ts';
import { Line } from './Line.tsx';
import { layoutFor, smallest } from './layout.ts';
import { createSelections, scrollableOf } from './OtherView.tsx';
import { Overlay } from './Overlay.tsx';
import { paletteLines } from './palette-text.ts';
import { type PasswordWanted, passwordDialog } from './password-text.ts';
import type { Addresses } from './ports-table.ts';
import { confirmationDialog, questionDialog } from './question-text.ts';
import { createShownOf, type ShownRows } from './shown.ts';
import { createTheme } from './theme.ts';
import type { Ticker } from './ticker.ts';

/** What tells that a password is wanted, and by whom. */
type Desk = { wanted(): PasswordWanted | undefined; subscribe(call: () => void): () => void };

type Props = Addresses & {
	state: Pick<StoreApi<State>, 'getState' | 'getInitialState' | 'subscribe'>;
	screens: StoreApi<Screen>;
	operations: Operations;
	/** Where a password is asked for; absent where none can be. */
	desk: Desk | undefined;
	ticker: Ticker;
	terminal: Pick<Terminal, 'conditions' | 'onConditions'>;
	badge: Badge | undefined;
	dispatcher: Dispatcher;
	/** Those that help and footer tell of. */
	bindings: readonly Binding[];
	/** What a key asks for, and what was shown when it was pressed. */
	onIntent: (intent: Intent, shown: ShownRows) => void;
	/** What is shown and which of it is in the window, whenever that changes. */
	onShown: (shown: ShownRows, visible: readonly string[]) => void;
};

/** Everything on screen, and the keyboard. */
export function App(props: Props) {
	const { state, screens, operations, desk, ticker, terminal, dispatcher, bindings } = props;
	const { onIntent, onShown, publicAddress, shareAddress } = props;
	const { columns, rows } = useWindowSize();
	const now = useSyncExternalStore(ticker.subscribe, ticker.now);
	const screen = useStore(screens);
	const picture = useSyncExternalStore(operations.subscribe, operations.picture);
	const account = useStore(state, all => all.accounts.get(screen.account)) ?? emptyAccount;
	const { colours, background, hasUnicode, isLowBandwidth } = useSyncExternalStore(
		terminal.onConditions,
		terminal.conditions,
	);
	const theme = useMemo(
		() => createTheme({ colours, background: background ?? 'dark', hasUnicode }),
		[colours, background, hasUnicode],
	);
	const shownOf = useMemo(createShownOf, []);
	const countsOf = useMemo(createCountsOf, []);
	const runwayOf = useMemo(createRunwayOf, []);
	const selections = useMemo(createSelections, []);

	const layout = layoutFor(columns, rows);
	const shown = shownOf({ account, screen, layout, now });
	const first = firstLine(screen, shown);
	useEffect(() => {
		onShown(shown, shown.ids.slice(first, first + shown.lines));
	}, [shown, first, onShown]);

	const wanted = useSyncExternalStore(desk?.subscribe ?? never, desk?.wanted ?? nothing);
	const dialog = wanted
		? passwordDialog(wanted, screen.isTypingPassword, theme)
		: screen.confirmation
			? confirmationDialog(screen.confirmation, operations.leaving())
			: picture.question && questionDialog(picture.question, account, theme);

	const { palette } = screen;
	const overlay = dialog
		? dialogLines(dialog, layout, theme)
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
		const { waitingFor } = operations;
		const detail = { ...asked, shown, picture, waitingFor, publicAddress, shareAddress };
		const scrollable = () =>
			current.view === 'fleet'
				? detailScrollable(detail, lines)
				: scrollableOf({ ...asked, lines });
		return { ...shown, scrollable };
	};

	return (
		<Box flexDirection="column" width="100%" height={rows}>
			<Keyboard
				dispatcher={dispatcher}
				placeNow={() =>
					desk?.wanted() ? 'question' : placeOf(screens.getState(), operations.picture())
				}
				onIntent={intent => onIntent(intent, shownNow())}
			/>
			{layout.isTooSmall ? (
				<Line text={`crowsnest needs ${smallest.columns}x${smallest.rows}`.slice(0, columns)} />
			) : (
				<FleetScreen
					account={account}
					screen={screen}
					shown={shown}
					first={first}
					counts={countsOf(shown.all)}
					runway={runwayOf(account)}
					layout={layout}
					bindings={bindings}
					picture={picture}
					waitingFor={operations.waitingFor}
					timeLeft={operations.timeLeft}
					badge={props.badge}
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

const never = () => () => {};
const nothing = () => undefined;

function placeOf(screen: Screen, { question }: Picture): Place {
	if (screen.confirmation) return 'confirmation';
	if (question) return 'question';
	if (screen.palette) return 'palette';
	if (screen.isHelpOpen) return 'help';
	if (screen.isFiltering) return 'line';
	if (screen.view === 'fleet' || screen.view === 'billing') return screen.view;
	return 'view';
}
