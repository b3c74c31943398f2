import { render } from 'ink';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Badge } from '../drawing/theme.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import { bindings as usualBindings } from '../keys/bindings.ts';
import { createDispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { keyContext } from '../keys/key-context.ts';
import { announce } from '../monitor/announcements.ts';
import { createHistoryLoader } from '../monitor/history-loader.ts';
import { closeQuitDialog, holdCountdowns } from '../monitor/hold-countdowns.ts';
import { createIntents } from '../monitor/intents.ts';
import { droppedFilterText, type ScreenKeeper } from '../monitor/screen-persistence.ts';
import { createPasswordIntents, postponedWhileBusy } from '../monitor/sign-in-intents.ts';
import { cursorIndex, initialScreen, withCursorFollowing } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { acceptOnSignIn } from '../session/sign-in-request.ts';
import type { LineTerminal } from '../terminal/line-terminal.ts';
import { createSilentStream } from '../terminal/streams.ts';
import { answerWords, createTypingFeedback } from './answer-words.ts';
import { createDialogSpeaker } from './dialogs.ts';
import { createSpokenNews } from './news.ts';
import { createOpeningSummary } from './opening-summary.ts';
import { createSceneReader, pageLines } from './scene.ts';
import { createSpeech } from './speech.ts';
import { summaryWords } from './summary-words.ts';
import { pageWords, paymentWords, readingOf } from './view-words.ts';

type SpokenMonitorOptions = {
	session: AccountSession;
	passwordRequest?: PasswordRequest;
	/** Lends the terminal to a password command that asks the person itself. */
	lend?: (work: () => Promise<void>) => Promise<void>;
	greeting?: string;
	badge?: StoreApi<Badge>;
	notify?: Preferences['notify'];
	/** All bindings, including the person's own keys. */
	bindings?: readonly Binding[];
	keeper?: ScreenKeeper;
	loadHistory?: (id: string) => void;
	/** The welcome of the first start. */
	welcome?: { signIn: () => void };
	terminal: LineTerminal;
	clock: Clock;
};

/**
 * The monitor for a screen reader or a braille display. It only ever adds lines, each a whole sentence:
 * changes are spoken as they happen, everything else when a key asks for it.
 */
export function showSpeech(parts: SpokenMonitorOptions) {
	const { session, greeting, badge, notify, keeper, welcome, terminal, clock } = parts;
	const { account, store, watch, operations } = session;
	const { droppedFilter, ...recalled } = keeper?.recall() ?? {};
	const screens = createStore(() => ({
		...initialScreen(account),
		...recalled,
		isWelcoming: welcome !== undefined,
	}));
	const speech = createSpeech(terminal);
	const passwordRequest =
		parts.passwordRequest && postponedWhileBusy(parts.passwordRequest, { screens, operations });
	const passwords = createPasswordIntents(
		passwordRequest,
		clock,
		passwordLetters => screens.setState({ passwordLetters }),
		parts.lend,
	);
	// There is no table, so there are no columns to choose.
	const bindings = (parts.bindings ?? usualBindings).filter(
		({ intent, contexts: places }) =>
			intent.type !== 'columns' && !places.every(place => place === 'columns'),
	);
	const marked = bindings.map(binding => ({
		...binding,
		isRefused: session.isReadOnly && binding.intent.type === 'ask',
	}));
	const act = createIntents({
		screens,
		bindings: marked,
		session,
		passwords,
		defaultColumns: undefined,
		signIn: welcome?.signIn,
		terminal: {
			...terminal,
			redraw() {},
			// The text is spoken instead of copied.
			copy(text) {
				speech.say([text]);
				return false;
			},
		},
		clock,
	});
	const scenes = createSceneReader({ session, screens, clock, notify });
	const dialogs = createDialogSpeaker({
		scenes,
		passwordRequest,
		operations,
		speech,
		onPasswordTold: passwords.shown,
	});
	const beginning = createOpeningSummary({
		clock,
		scenes,
		begin(lines) {
			speech.say(lines);
			news = createSpokenNews({ clock, momentNow: scenes.momentNow, say: speech.say });
		},
	});
	const history = createHistoryLoader({ clock, load: parts.loadHistory ?? (() => {}) });
	const pause = createTypingFeedback({ clock, scenes, bindings: marked, speech });
	let news: ReturnType<typeof createSpokenNews> | undefined;
	let isAnswering = false;
	let wasLocked = false;
	let hadModels = false;
	let seen = '';

	function onKey(intent: Intent) {
		// The details were spoken already; the key asks for the table.
		if (intent.type === 'move' && intent.move.type === 'view') {
			screens.setState({ isDetailOpen: false });
		}
		const before = scenes.sceneNow();
		const { shown } = before;
		const scrollable = () => Math.max(0, readingOf(before).count - 1);
		isAnswering = true;
		act(intent, { ...shown, scrollable });
		isAnswering = false;
		speech.say(answerWords(intent, before, scenes.sceneNow(), marked));
		// Spoken help has nothing to close.
		if (screens.getState().isHelpOpen) screens.setState({ isHelpOpen: false });
		pause.look(intent);
		look();
	}

	function onState() {
		const scene = scenes.sceneNow();
		screens.setState(screen => withCursorFollowing(screen, scene.shown), true);
		beginning.look();
		// The models arrive after their view was opened.
		const hasModels = scene.account.models !== undefined;
		if (hasModels && !hadModels && scene.screen.view === 'models') speech.say(pageWords(scene));
		hadModels = hasModels;
		look();
	}

	function look() {
		const { screen, shown } = scenes.sceneNow();
		const at = Math.max(0, cursorIndex(screen, shown.ids));
		const detail = screen.isDetailOpen ? shown.ids[at] : undefined;
		const ids = shown.ids.slice(at, at + pageLines);
		const seeing = JSON.stringify([detail, ids]);
		if (seeing !== seen) {
			const visible = new Set(ids);
			watch.setAttention({ visible, focused: true, ...(detail !== undefined && { detail }) });
			history.look(detail);
		}
		seen = seeing;
		tellLock();
		dialogs.look();
		news?.look();
	}

	function tellLock() {
		const { isLocked } = operations.state();
		if (isLocked === wasLocked) return;
		wasLocked = isLocked;
		if (!isLocked) speech.say(['Unlocked.']);
		else if (!isAnswering) speech.say(['Locked: still watching, nothing can be changed.']);
	}

	speech.say([
		`crowsnest, watching ${badge?.getState().text ?? account}${session.isReadOnly ? ', read only' : ''}.`,
		...(greeting === undefined ? [] : [`${greeting}.`]),
		...(droppedFilter === undefined ? [] : [droppedFilterText(droppedFilter)]),
	]);
	const endings = [
		terminal.onResume(() => speech.say(['Resumed.', ...summaryWords(scenes.sceneNow())])),
		holdCountdowns({
			screens,
			operations,
			passwordRequest,
			terminal,
			// A spoken line fits any terminal.
			isTooSmall: () => false,
			onResize: () => () => {},
		}),
		closeQuitDialog({ screens, session, clock }),
		passwordRequest ? acceptOnSignIn(passwordRequest, session) : () => {},
		store.subscribe(onState),
		operations.subscribe(look),
		passwordRequest?.subscribe(look) ?? (() => {}),
		screens.subscribe((screen, before) => {
			const { notice, payment } = screen;
			if (notice !== undefined && notice !== before.notice) speech.say([notice.text]);
			dialogs.look();
			if (payment && payment !== before.payment) speech.say(paymentWords(scenes.sceneNow()));
		}),
		announce({
			session,
			terminal: { setTitle() {}, bell: terminal.bell, notify: terminal.bell },
			clock,
			...(notify && { notify }),
		}),
	];
	watch.start();
	onState();
	const silence = createSilentStream();
	const ink = render(
		<Keyboard
			dispatcher={createDispatcher(bindings)}
			contextNow={() =>
				keyContext(screens.getState(), operations.state(), passwordRequest?.prompt() !== undefined)
			}
			onIntent={onKey}
		/>,
		{
			stdin: terminal.stdin,
			stdout: silence,
			stderr: silence,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
		},
	);

	return {
		closed: ink.waitUntilExit(),
		settled: ink.waitUntilRenderFlush,
		say: (notice: string) => speech.say([notice]),
		close() {
			keeper?.keep(screens.getState());
			for (const end of endings) end();
			beginning.close();
			pause.close();
			history.close();
			news?.close();
			ink.unmount();
		},
	};
}
