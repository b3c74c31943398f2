import type { MonitorOptions, MonitorState } from '../monitor/monitor-state.ts';
import { createActionRunner } from '../monitor/run-actions.ts';
import { views } from '../screen/view-table.ts';
import type { LineTerminal } from '../terminal/line-terminal.ts';
import { createDispatcher } from '../views/actions/dispatcher.ts';
import { effectOfKey, effectOfPaste } from '../views/actions/unbound.ts';
import { placeOf } from '../views/dialogs/dialog-table.ts';
import type { Action, Effect } from '../views/scene.ts';
import { answerWords, createTypingFeedback } from './answer-words.ts';
import type { ChangeSpeaker } from './changes.ts';
import type { SceneReader } from './scene.ts';
import type { Speech } from './speech.ts';
import { detailOrViewWords, spokenChoices } from './view-words.ts';

export type SpokenMonitorOptions = MonitorOptions & { terminal: LineTerminal };

type KeyHandlerDeps = {
	state: MonitorState;
	scenes: SceneReader;
	speech: Speech;
	changes: ChangeSpeaker;
	chooseSetting: (name: string, word: string) => string;
	/** Called before each key takes effect. */
	onKey: () => void;
	/** Called after each key has taken effect. */
	update: () => void;
};

/** Creates a handler that does what each key stands for, and speaks the answer. */
export function createKeyHandler(
	{ terminal, clock, ...options }: SpokenMonitorOptions,
	{ state, scenes, speech, changes, chooseSetting, onKey, update }: KeyHandlerDeps,
) {
	const { screenStore, openDialog, passwordRequest } = state;
	const perform = createActionRunner({
		...options,
		screenStore,
		openDialog,
		passwordRequest,
		actions: state.actions,
		clock,
		chooseSetting,
		defaultColumns: undefined,
		// What a key has changed is spoken while the key is handled.
		whenFrameShown: (call: () => void) => call(),
		terminal: {
			...terminal,
			redraw() {},
			// A spoken monitor has no clipboard, so the text is spoken.
			copyToClipboard(text) {
				speech.say([text]);
				return false;
			},
		},
	});
	const typing = createTypingFeedback({ clock, scenes, ...state, speech });

	function onAction(effect: Effect, key: string) {
		onKey();
		// A key that opens a view also closes the details, because such a key asks for the table, and the details
		// have already been spoken.
		if (views.some(view => view === effect.id)) {
			screenStore.setState({ isDetailOpen: false });
		}
		const before = scenes.sceneNow();
		const scrollable = () => Math.max(0, detailOrViewWords(before).lineCount - 1);
		changes.withoutLockNews(() =>
			perform(effect, key, {
				...before.visibleRows,
				maxScroll: scrollable,
				choiceList: () => spokenChoices(before),
			}),
		);
		speech.say(
			answerWords(effect, before, scenes.sceneNow(), {
				actions: state.actions(),
			}),
		);
		// The help has been spoken, so nothing stays open that a person would have to close.
		if (screenStore.getState().isHelpOpen) screenStore.setState({ isHelpOpen: false });
		typing.onAction(effect);
		update();
	}

	return { onAction, close: typing.close };
}

/** Does what each key and each paste stands for. Returns a function that ends this. */
export function listenToKeys(
	{ terminal }: SpokenMonitorOptions,
	{
		state: { screenStore, openDialog },
		actions,
		onAction,
	}: Pick<KeyHandlerDeps, 'state'> & {
		actions: readonly Action[];
		onAction: (effect: Effect, key: string) => void;
	},
): () => void {
	const dispatcher = createDispatcher(actions);
	return terminal.onInput(input => {
		const place = placeOf(openDialog(), screenStore.getState());
		const key = 'key' in input ? input.key : '';
		const effect =
			'key' in input ? effectOfKey(dispatcher, key, place) : effectOfPaste(input.paste, place);
		if (effect) onAction(effect, key);
	});
}
