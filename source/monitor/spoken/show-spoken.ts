import { readOfView } from '../../fleet/reads.ts';
import { isSpoken, spellOut, spokenText } from '../../lines/print.ts';
import { startWatches } from '../../session/session-table.ts';
import type { LineTerminal } from '../../terminal/line-terminal.ts';
import { createDispatcher, effectOfPaste } from '../../views/actions/dispatcher.ts';
import { actions as allActions } from '../../views/actions/table.ts';
import { paymentLines } from '../../views/billing.ts';
import { frameWidth } from '../../views/frame/spoken.ts';
import { cursorIndex } from '../../views/look/cursor.ts';
import { isHelpOpen, isTable, type Screen } from '../../views/look/screen.ts';
import { type View, views } from '../../views/look/view-table.ts';
import { createSceneReader } from '../../views/read-scene.ts';
import type { Effect, Scene } from '../../views/scene.ts';
import { createMonitorState, type MonitorOptions } from '../monitor-state.ts';
import { startMonitor } from '../start-monitor.ts';
import { answerTo, linesPerPage, pageOf, placeOf, summaryLines, typingFeedback } from './answer.ts';
import { createNews } from './news.ts';
import { createDialogSpeaker, createSpeech, unboundKey } from './speech.ts';

// A table of so many lines has one row more than a spoken page, because a page key moves by one line less.
const spokenRows = linesPerPage + 8;

const typingPauseMs = 800;

/** The time that the summary waits for the credits and the plan after the list has been read. */
const creditsWaitMs = 2_000;

/**
 * Shows the monitor for a screen reader or a braille display, in whole lines that are never overwritten: an answer to each
 * key, and news when they happen.
 */
export function showSpoken(options: MonitorOptions & { terminal: LineTerminal }) {
	const { sessions, terminal, clock } = options;
	const { operations } = sessions;
	// The dialog of columns shows what a screen has room for, so its keys are left out.
	const actions = (options.actions ?? allActions).filter(
		({ id, where }) => id !== 'columns' && where.some(place => place !== 'columns'),
	);
	const speech = createSpeech(terminal);
	const say = (notice: string) => speech.say([spellOut(notice)]);
	const endings = [terminal.onResume(() => speech.say(['Resumed.', ...summaryLines(sceneNow())]))];
	const state = createMonitorState({ ...options, actions });
	const { screenStore, monitorData } = state;
	const monitor = startMonitor(options, state, {
		terminal: {
			...terminal,
			// There is no clipboard, so the text is spoken.
			copyToClipboard(text) {
				speech.say([text]);
				return false;
			},
		},
		say,
		isDetailShown: screen => isTable(screen) && screen.isDetailOpen,
		// What a key has changed is spoken while the key is handled.
		whenFrameShown: call => call(),
		screenEffects: {},
		hasForms: false,
	});
	const { attention, runAction } = monitor;
	const readScene = createSceneReader(
		monitor.lowCreditsMs,
		account => sessions.sessionOf(account).platform,
	);
	let lastKeyAt = Number.NEGATIVE_INFINITY;
	const sceneOf = (screen: Screen): Scene => ({
		...readScene({
			data: monitorData.getState(),
			screen,
			terminal: terminal.state(),
			columns: frameWidth,
			rows: spokenRows,
			now: clock.now(),
			lastKeyAt,
		}),
		width: Number.POSITIVE_INFINITY,
		height: Number.POSITIVE_INFINITY,
		hasColours: true,
	});
	const sceneNow = () => sceneOf(screenStore.getState());
	const updateDialog = createDialogSpeaker(sceneNow, speech, (id, step) =>
		screenStore.setState({ seenDialog: { id, step, visibleSince: clock.now() } }),
	);
	let awaitedView: View | undefined;
	let news: ReturnType<typeof createNews> | undefined;
	let cancelTyping: (() => void) | undefined;
	let cancelOpening: (() => void) | undefined;
	let wasLocked = operations.state().isLocked;
	/** What the key does that is handled now. */
	let performed: Effect | undefined;

	function open() {
		if (news) return;
		speech.say([...summaryLines(sceneNow()), 'Press the question mark for help, or q to quit.']);
		news = createNews(clock, sceneNow, speech.say);
	}

	function update(effect?: Effect) {
		const { shown, screen } = sceneNow();
		const at = Math.max(0, cursorIndex(screen, shown.ids));
		attention.onShown(shown, shown.ids.slice(at, at + linesPerPage));
		const { isLocked } = operations.state();
		if (isLocked !== wasLocked) say(isLocked ? 'Locked.' : 'Unlocked.');
		wasLocked = isLocked;
		updateDialog(effect?.id);
		news?.update();
	}

	function onStoreChange() {
		// What a key has changed is said after the answer to the key.
		if (performed) return;
		if (!news) {
			const { reads, credits, subscription } = sceneNow().account;
			const { answer, failing } = reads.list ?? {};
			if (failing || (answer && credits && subscription !== undefined)) open();
			else if (answer) cancelOpening ??= clock.after(creditsWaitMs, open);
		}
		sayAwaitedView();
		update();
	}

	/** Speaks the open view once the read that only this view needs has been answered. */
	function sayAwaitedView() {
		const scene = sceneNow();
		const { view } = scene.screen;
		const ownRead = readOfView(view);
		const hasData = !ownRead || scene.account[ownRead] !== undefined;
		if (hasData && awaitedView === view) speech.say(pageOf(placeOf(scene)));
		awaitedView = hasData ? undefined : view;
	}

	/** A spoken text is moved through and chosen from line by line. */
	function readingScene(): Scene {
		const scene = sceneNow();
		const { shown } = scene;
		const place = () => placeOf(scene);
		return {
			...scene,
			shown: {
				...shown,
				filterCompletions: line => (place().filterCompletions ?? shown.filterCompletions)(line),
				idsFor: screen => sceneOf(screen).shown.ids,
				maxScroll: () => Math.max(0, place().lineCount - 1),
				choiceList: () => place().choiceList,
			},
		};
	}

	function onAction(effect: Effect, key: string) {
		attention.onKey();
		lastKeyAt = clock.now();
		// A key that opens a view asks for the table, so it closes the details, which have been spoken.
		if (views.some(view => view === effect.id)) screenStore.setState({ isDetailOpen: false });
		const before = sceneNow();
		performed = effect;
		runAction(effect, key, readingScene);
		performed = undefined;
		// The notice of a key that locks or unlocks says so.
		if (screenStore.getState().notice) wasLocked = operations.state().isLocked;
		speech.say(answerTo(effect, before, sceneNow()));
		// The help has been spoken as a whole, so a person need not close it.
		if (isHelpOpen(screenStore.getState())) screenStore.setState({ open: undefined });
		cancelTyping?.();
		if (effect.edit)
			cancelTyping = clock.after(typingPauseMs, () => speech.say(typingFeedback(sceneNow())));
		update(effect);
	}

	const names = sessions.profiles().map(({ name }) => name);
	const badge = names.length > 1 ? undefined : options.badge?.getState()?.text;
	say(`crowsnest, watching ${badge ?? names.join(', ')}.`);
	for (const notice of [options.greeting, state.droppedFilterNotice]) if (notice) say(notice);
	endings.push(
		monitorData.subscribe(onStoreChange),
		screenStore.subscribe(({ notice, payment }, before) => {
			if (notice && notice !== before.notice) say(notice.text);
			updateDialog(performed?.id);
			if (payment && payment !== before.payment)
				speech.say(paymentLines(sceneNow()).lines.filter(isSpoken).map(spokenText));
		}),
	);
	if (!options.player) endings.push(startWatches(sessions, clock));
	onStoreChange();
	const dispatcher = createDispatcher(actions);
	endings.push(
		terminal.onInput(input => {
			const scene = sceneNow();
			const key = 'key' in input ? input.key : '';
			const effect =
				'key' in input
					? (dispatcher(key, scene.place) ?? unboundKey(key, scene))
					: effectOfPaste(input.paste, scene.place);
			if (effect) onAction(effect, key);
		}),
	);
	const closed = new Promise<void>(resolve => {
		endings.push(resolve);
	});

	return {
		closed,
		async settled() {},
		say,
		close() {
			monitor.close();
			for (const cancel of [cancelTyping, cancelOpening, news?.close]) cancel?.();
			for (const end of endings) end();
		},
	};
}
