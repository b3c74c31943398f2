import { readOfView } from '../../fleet/reads.ts';
import { isSpoken, spellOut, spokenSpans, spokenText } from '../../lines/print.ts';
import { startWatches } from '../../session/session-table.ts';
import type { LineTerminal, TypedField } from '../../terminal/line-terminal.ts';
import { paymentLines } from '../../views/billing.ts';
import type { OpenDialog } from '../../views/dialogs/dialog-table.ts';
import { openDialogText } from '../../views/dialogs/open-dialog.ts';
import { orderMenuText } from '../../views/frame/footer.ts';
import { frameWidth } from '../../views/frame/rules.ts';
import { isFieldPlace, spokenKey } from '../../views/keys.ts';
import { computersIn, cursorIndex } from '../../views/look/cursor.ts';
import { isHelpOpen, isTable } from '../../views/look/screen.ts';
import { typedLineFrom } from '../../views/look/typed-line.ts';
import { type ViewName, views } from '../../views/look/view-table.ts';
import type { Effect, Scene } from '../../views/scene.ts';
import { effectAt, effectOfPaste } from '../actions/dispatcher.ts';
import { type MonitorOptions, startMonitor } from '../monitor.ts';
import {
	answerTo,
	linesPerPage,
	openLinesIn,
	pageOf,
	summaryLines,
	typingFeedback,
} from './answer.ts';
import { createNews } from './news.ts';

// A table of so many lines has one row more than a spoken page, because a page key moves by one line less.
const spokenRows = linesPerPage + 8;

const typingPauseMs = 800;

/** The time that the summary waits for the credits and the plan after the list has been read. */
const creditsWaitMs = 2_000;

/** Whole lines that are never overwritten: an answer to each key, and news when they happen. */
export function showSpoken(options: MonitorOptions & { terminal: LineTerminal }) {
	const { sessions, terminal, clock } = options;
	const { operations } = sessions;
	const say = (notice: string) => terminal.say([spellOut(notice)]);
	const endings = [
		terminal.onResume(() => terminal.say(['Resumed.', ...summaryLines(sceneNow())])),
	];
	const monitor = startMonitor(options, {
		terminal: {
			...terminal,
			// There is no clipboard, so the text is spoken.
			copyToClipboard(text) {
				terminal.say([text]);
				return false;
			},
		},
		// What a key has changed is spoken while the key is handled.
		whenFrameShown: call => call(),
	});
	const { screenStore, monitorData } = monitor;
	let lastKeyAt = -Infinity;
	const sceneNow = (): Scene => ({
		...monitor.readScene({
			data: monitorData.getState(),
			screen: screenStore.getState(),
			terminal: terminal.state(),
			columns: frameWidth,
			rows: spokenRows,
			now: clock.now(),
			lastKeyAt,
		}),
		width: Infinity,
		height: Infinity,
	});
	function liveScene(): Scene {
		const { live, width, height, ...scene } = sceneNow();
		return { ...scene, ...live, width, height };
	}
	let dialogBefore: OpenDialog | undefined;
	let linesBefore: readonly string[] = [];
	let awaitedView: ViewName | undefined;
	let news: ReturnType<typeof createNews> = [];
	let cancelTyping: (() => void) | undefined;
	let cancelOpening: (() => void) | undefined;
	let wasLocked = operations.state().isLocked;
	let performed: Effect | undefined;

	function open() {
		if (news.length > 0) return;
		terminal.say([...summaryLines(sceneNow()), 'Press the question mark for help, or q to quit.']);
		news = createNews(clock, liveScene, terminal.say);
	}

	/** Until a dialog or its next step has been spoken, nothing confirms it. */
	function updateDialog(effectId?: string) {
		const scene = sceneNow();
		const { dialog } = scene;
		const lines = dialog && dialogLines(dialog, scene);
		const open = lines && dialog;
		const isNew = open?.entry.id !== dialogBefore?.entry.id;
		const isNewStep = isNew || open?.entry.answers.length !== dialogBefore?.entry.answers.length;
		// The field of the dialog before ends above the new lines.
		if (isNew) terminal.type(undefined);
		if (lines) terminal.say(isNew ? lines : lines.filter(line => !linesBefore.includes(line)));
		else if (dialogBefore) terminal.say(closingWords(dialogBefore, effectId));
		dialogBefore = open;
		linesBefore = lines ?? [];
		terminal.type(dialog && fieldOf(dialog));
		if (!open || !isNewStep) return;
		const { id, answers } = open.entry;
		screenStore.setState({ seenDialog: { id, step: answers.length, visibleSince: clock.now() } });
	}

	function update(effect?: Effect) {
		const scene = sceneNow();
		const { shown, screen } = scene;
		const at = Math.max(0, cursorIndex(screen, shown.lines));
		const isDetailShown = isTable(screen) && screen.isDetailOpen;
		const visible = computersIn(shown.lines.slice(at, at + linesPerPage)).map(({ id }) => id);
		monitor.onShown(scene, visible, isDetailShown);
		const { isLocked } = operations.state();
		if (isLocked !== wasLocked) say(isLocked ? 'Locked.' : 'Unlocked.');
		wasLocked = isLocked;
		updateDialog(effect?.id);
		for (const part of news) part.update();
	}

	function onStoreChange() {
		// What a key has changed is said after the answer to the key.
		if (performed) return;
		if (news.length === 0) {
			const { reads, credits, subscription } = sceneNow().account;
			const { answer, failing } = reads.list ?? {};
			if (failing || (answer && credits && subscription !== undefined)) open();
			else if (answer) cancelOpening ??= clock.after(creditsWaitMs, open);
		}
		sayAwaitedView();
		update();
	}

	function sayAwaitedView() {
		const scene = sceneNow();
		const { view } = scene.screen;
		const ownRead = readOfView(view);
		const hasData = !ownRead || scene.account[ownRead] !== undefined;
		if (hasData && awaitedView === view) terminal.say(pageOf(openLinesIn(scene)));
		awaitedView = hasData ? undefined : view;
	}

	function readingScene(): Scene {
		const scene = sceneNow();
		const { lineCount, choiceList } = openLinesIn(scene);
		return {
			...scene,
			shown: {
				...scene.shown,
				mapCells: () => [],
				maxScroll: () => Math.max(0, lineCount - 1),
				choiceList: () => choiceList,
			},
		};
	}

	function onAction(effect: Effect, key: string) {
		lastKeyAt = clock.now();
		// A key that opens a view asks for the table, so it closes the details, which have been spoken.
		if (views.some(view => view === effect.id)) screenStore.setState({ isDetailOpen: false });
		const before = sceneNow();
		performed = effect;
		monitor.runAction(effect, key, readingScene);
		performed = undefined;
		// The notice of a key that locks or unlocks says so.
		wasLocked = operations.state().isLocked;
		terminal.say(answerTo(effect, before, sceneNow()));
		// The help has been spoken as a whole, so a person need not close it.
		if (isHelpOpen(screenStore.getState())) screenStore.setState({ open: undefined });
		cancelTyping?.();
		if (effect.edit)
			cancelTyping = clock.after(typingPauseMs, () => terminal.say(typingFeedback(sceneNow())));
		update(effect);
	}

	const names = sessions.profiles().map(({ name }) => name);
	say(`crowsnest, watching ${names.join(', ')}.`);
	monitor.openingNotices.forEach(say);
	endings.push(
		monitorData.subscribe(onStoreChange),
		screenStore.subscribe(({ notice, payment }, before) => {
			if (notice && notice !== before.notice)
				say([notice.what, notice.why, notice.advice, notice.hint].join(''));
			updateDialog(performed?.id);
			if (payment && payment !== before.payment)
				terminal.say(paymentLines(sceneNow()).filter(isSpoken).map(spokenText));
		}),
	);
	if (!options.player) endings.push(startWatches(sessions));
	onStoreChange();
	endings.push(
		terminal.onInput(input => {
			const scene = sceneNow();
			const key = 'key' in input ? input.key : '';
			const effect =
				'key' in input
					? (effectAt(scene.actions, scene.place, key) ?? unboundKey(key, scene))
					: effectOfPaste(input.paste, scene.place);
			if (effect) onAction(effect, key);
		}),
	);
	const closed = new Promise<void>(resolve => void endings.push(resolve));

	return {
		closed,
		async settled() {},
		say,
		close() {
			monitor.close();
			for (const cancel of [cancelTyping, cancelOpening]) cancel?.();
			for (const { close } of news) close();
			for (const end of endings) end();
		},
	};
}

/** The news say what an answer has begun. */
function closingWords({ kind }: OpenDialog, effectId: string | undefined): readonly string[] {
	if (effectId !== 'yes' && effectId !== 'submit') return ['Closed.'];
	return kind === 'password' ? ['Signing in.'] : [];
}

function dialogLines(open: OpenDialog, scene: Scene): readonly string[] | undefined {
	// A duration that grows and a text that is typed would be new with every second and letter.
	const now = open.kind === 'question' ? open.question.openedAt : scene.now;
	const untyped = { ...open, entry: { ...open.entry, line: typedLineFrom('') } };
	const dialog = openDialogText(untyped, { ...scene, now });
	if (!dialog) return undefined;
	const { title, lines, command = '', problem = '', news = '', typed, hints } = dialog;
	const keys = typed ? '' : `${hints.join(', ')}.`;
	const body = lines.map(line => spokenSpans([line]));
	// A command is spoken as it is, because a person may copy it.
	return [title, ...body, command, ...[problem, news, keys].map(spellOut)].filter(
		text => text !== '',
	);
}

function unboundKey(key: string, scene: Scene): Effect {
	const { dialog, place, actions } = scene;
	const hints = dialog && openDialogText(dialog, scene)?.hints;
	const elsewhere = isFieldPlace(place) ? '' : 'Press the question mark for help.';
	const keys = place === 'order' ? orderMenuText(actions) : hints && `${hints.join(', ')}.`;
	const text = `${spokenKey(key)} does nothing here. ${keys ?? elsewhere}`;
	return { id: 'unboundKey', run: ({ say }) => say(text) };
}

function fieldOf({ kind, entry, ...dialog }: OpenDialog): TypedField | undefined {
	const { line, assist } = entry;
	const typed = line.text;
	if (kind === 'password') return { id: 'password', prompt: 'Password, not shown:', typed: '' };
	if (assist?.kind === 'search')
		return { id: `history ${assist.typed}`, prompt: `History, ${assist.typed}:`, typed };
	if (kind === 'palette') return { id: kind, prompt: 'Command:', typed };
	if (kind === 'filter') return { id: kind, prompt: 'Filter:', typed };
	if (!('step' in dialog) || !dialog.step || dialog.step.kind === 'yes') return undefined;
	const id = `${dialog.question.id} ${dialog.question.answers.length}`;
	return { id, prompt: dialog.step.prompt, typed };
}
