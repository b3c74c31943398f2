import { render } from 'ink';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import { layoutFor } from '../drawing/layout.ts';
import type { Badge } from '../drawing/theme.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Binding } from '../keys/binding.ts';
import { bindings as usualBindings } from '../keys/bindings.ts';
import { createDispatcher } from '../keys/dispatcher.ts';
import { needsPlatform } from '../keys/replay-bindings.ts';
import { cursorIndex, initialScreen, withCursorFollowing } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { acceptOnSignIn } from '../session/sign-in-request.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from '../views/App.tsx';
import type { Attention } from '../watch/planner-input.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import { announce } from './announcements.ts';
import { createDialogVisibility } from './dialog-visibility.ts';
import { createHistoryLoader } from './history-loader.ts';
import { closeQuitDialog, holdCountdowns } from './hold-countdowns.ts';
import { createIntents } from './intents.ts';
import { showUnfinishedPaste } from './notices.ts';
import type { Player } from './replay-player.ts';
import { droppedFilterText, type ScreenKeeper } from './screen-persistence.ts';
import { createPasswordIntents, postponedWhileBusy } from './sign-in-intents.ts';
import { createThrottledStore } from './throttled-store.ts';
import { createTicker } from './ticker.ts';

type MonitorOptions = {
	session: AccountSession;
	passwordRequest?: PasswordRequest;
	/** Lends the terminal to a password command that asks the person itself. */
	lend?: (work: () => Promise<void>) => Promise<void>;
	greeting?: string;
	/** The account's badge in the header. */
	badge?: StoreApi<Badge>;
	notify?: Preferences['notify'];
	/** All bindings, including the person's own keys. */
	bindings?: readonly Binding[];
	keeper?: ScreenKeeper;
	loadHistory?: (id: string) => void;
	/** The names of the table's columns until others are chosen. */
	columns?: readonly string[];
	/** Plays a recording; absent in a live monitor. */
	player?: Player;
	/** The welcome of the first start. */
	welcome?: { signIn: () => void };
	terminal: Terminal;
	clock: Clock;
	/** Writes each frame whole and as text, for tests without a terminal. */
	isPlain?: boolean;
};

/** Shows a session on the screen until `close` is called. */
export function showMonitor(parts: MonitorOptions) {
	const {
		session,
		greeting,
		badge,
		notify,
		bindings = usualBindings,
		keeper,
		loadHistory = () => {},
		columns: defaultColumns,
		welcome,
		player,
		terminal,
		clock,
		isPlain = false,
	} = parts;
	const { account, store, watch, operations } = session;
	const { droppedFilter, ...recalled } = keeper?.recall() ?? {};
	const opening = droppedFilter === undefined ? greeting : droppedFilterText(droppedFilter);
	const screens = createStore(() => ({
		...initialScreen(account),
		columns: defaultColumns,
		...recalled,
		notice: opening === undefined ? undefined : { text: opening, at: clock.now() },
		isWelcoming: welcome !== undefined,
	}));
	const passwordRequest =
		parts.passwordRequest && postponedWhileBusy(parts.passwordRequest, { screens, operations });
	const passwords = createPasswordIntents(
		passwordRequest,
		clock,
		passwordLetters => screens.setState({ passwordLetters }),
		parts.lend,
	);
	// Keys that would be refused are not offered; pressing one says why.
	const isRefused = ({ intent }: Binding) =>
		player ? needsPlatform(intent) : session.isReadOnly && intent.type === 'ask';
	const marked = bindings.map(binding => ({ ...binding, isRefused: isRefused(binding) }));
	const dialogs = createDialogVisibility({
		dialogNow: () =>
			screens.getState().confirmation?.about ??
			passwordRequest?.prompt() ??
			operations.state().question?.id,
		whenTaken: call => void untilDrawn().then(() => terminal.whenTaken(call)),
		onVisible() {
			passwords.shown();
			operations.shown();
			const { confirmation } = screens.getState();
			const openedAt = clock.now();
			if (!confirmation || confirmation.openedAt >= openedAt) return;
			screens.setState({ confirmation: { ...confirmation, openedAt } });
		},
	});
	/** Resolves when Ink has written its newest frame. The first one is drawn before `render` returns. */
	async function untilDrawn() {
		await Promise.resolve();
		await ink.waitUntilRenderFlush();
	}

	const onIntent = createIntents({
		screens,
		bindings: marked,
		session,
		passwords,
		defaultColumns,
		signIn: welcome?.signIn,
		player,
		isDialogVisible: dialogs.isVisible,
		terminal,
		clock,
	});
	const ticker = player ?? createTicker(clock);
	const shownStore = createThrottledStore(store, clock);

	let view: Attention = { visible: new Set(), focused: terminal.state().isFocused };
	const look = (change: Partial<Attention>) => {
		view = { ...view, ...change };
		watch.setAttention(view);
	};
	const endFocusNews = terminal.onStateChange(() => {
		const { isFocused } = terminal.state();
		if (isFocused !== view.focused) look({ focused: isFocused });
	});

	const endPasteNews = showUnfinishedPaste({ terminal, screens, clock });

	let ids: readonly string[] = [];
	const onShown = (shown: VisibleRows, visible: readonly string[]) => {
		ids = shown.ids;
		look({ visible: new Set(visible) });
		screens.setState(screen => withCursorFollowing(screen, shown), true);
	};
	const history = createHistoryLoader({ clock, load: loadHistory });
	const endDetailNews = screens.subscribe(screen => {
		const { detail: before, ...rest } = view;
		const detail = screen.isDetailOpen ? ids[cursorIndex(screen, ids)] : undefined;
		if (detail === before) return;
		view = detail === undefined ? rest : { ...rest, detail };
		watch.setAttention(view);
		history.look(detail);
	});

	// A replay announces nothing: its events are old.
	if (player) terminal.setTitle('crowsnest: replay');
	const endAnnouncements = player
		? () => {}
		: announce({ session, terminal, clock, ...(notify && { notify }) });

	// A dialog that was open during a suspension becomes visible again.
	const endResumeNews = terminal.onResume(dialogs.drawn);
	const { stdout } = terminal;
	const endHolding = holdCountdowns({
		screens,
		operations,
		passwordRequest,
		terminal,
		isTooSmall: () => layoutFor(stdout.columns, stdout.rows).isTooSmall,
		onResize(call) {
			stdout.on('resize', call);
			return () => stdout.off('resize', call);
		},
	});
	const endQuitDialog = closeQuitDialog({ screens, session, clock });
	const endAcceptance = passwordRequest && acceptOnSignIn(passwordRequest, session);

	watch.start();
	const ink = render(
		<App
			state={shownStore}
			screens={screens}
			operations={operations}
			passwordRequest={passwordRequest}
			ticker={ticker}
			player={player}
			terminal={terminal}
			dispatcher={createDispatcher(bindings)}
			badge={badge}
			bindings={marked}
			publicAddress={session.platform.publicAddress}
			shareAddress={session.platform.shareAddress}
			onIntent={(intent, shown) => {
				onIntent(intent, shown);
				// The answer to a key is drawn at once.
				shownStore.flush();
			}}
			onShown={onShown}
			onDialogDrawn={dialogs.drawn}
		/>,
		{
			stdin: terminal.stdin,
			stdout: terminal.stdout,
			stderr: terminal.stderr,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
			maxFps: 120,
			debug: isPlain,
		},
	);

	return {
		closed: ink.waitUntilExit(),
		/** Resolves when the terminal has received everything that was due to be drawn. */
		settled() {
			shownStore.flush();
			return ink.waitUntilRenderFlush();
		},
		say: (text: string) => screens.setState({ notice: { text, at: clock.now() } }),
		close() {
			const { columns, ...screen } = screens.getState();
			const isUsual = String(columns) === String(defaultColumns);
			keeper?.keep({ ...screen, columns: isUsual ? undefined : columns });
			endFocusNews();
			endPasteNews();
			endDetailNews();
			history.close();
			endAnnouncements();
			endResumeNews();
			endHolding();
			endQuitDialog();
			endAcceptance?.();
			ticker.stop();
			shownStore.close();
			ink.unmount();
		},
	};
}
