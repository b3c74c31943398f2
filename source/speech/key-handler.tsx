import { render } from 'ink';
import type { Binding, Intent } from '../keys/binding.ts';
import { createDispatcher } from '../keys/dispatcher.ts';
import { Keyboard } from '../keys/Keyboard.tsx';
import { keyContextOf } from '../keys/open-dialog.ts';
import { createIntents } from '../monitor/intents/intents.ts';
import type { MonitorOptions, MonitorState } from '../monitor/monitor-state.ts';
import type { LineTerminal } from '../terminal/line-terminal.ts';
import { createSilentStream } from '../terminal/process/streams.ts';
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
	/** Called before the intent of each key is performed. */
	onKey: () => void;
	/** Called after the intent of each key has been performed. */
	update: () => void;
};

/** Creates a handler that performs the intent of each key and speaks the answer. */
export function createKeyHandler(
	{ terminal, clock, ...options }: SpokenMonitorOptions,
	{ state, scenes, speech, changes, chooseSetting, onKey, update }: KeyHandlerDeps,
) {
	const { screenStore, openDialog, passwordRequest } = state;
	const perform = createIntents({
		...options,
		screenStore,
		openDialog,
		passwordRequest,
		bindings: state.bindings,
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

	function onIntent(intent: Intent) {
		onKey();
		// A key that opens a view also closes the details, because such a key asks for the table, and the details
		// have already been spoken.
		if (intent.type === 'move' && intent.move.type === 'view') {
			screenStore.setState({ isDetailOpen: false });
		}
		const before = scenes.sceneNow();
		const scrollable = () => Math.max(0, detailOrViewWords(before).lineCount - 1);
		changes.withoutLockNews(() =>
			perform(intent, {
				...before.visibleRows,
				maxScroll: scrollable,
				choiceList: () => spokenChoices(before),
			}),
		);
		speech.say(
			answerWords(intent, before, scenes.sceneNow(), {
				bindings: state.bindings(),
			}),
		);
		// The help has been spoken, so nothing stays open that a person would have to close.
		if (screenStore.getState().isHelpOpen) screenStore.setState({ isHelpOpen: false });
		typing.onIntent(intent);
		update();
	}

	return { onIntent, close: typing.close };
}

/** Renders an Ink program that only reads the keyboard and draws nothing. */
export function renderKeyboardReader(
	{ terminal }: SpokenMonitorOptions,
	{
		state: { screenStore, openDialog },
		bindings,
		onIntent,
	}: Pick<KeyHandlerDeps, 'state'> & {
		bindings: readonly Binding[];
		onIntent: (intent: Intent) => void;
	},
) {
	const silence = createSilentStream();
	const contextNow = () => keyContextOf(openDialog(), screenStore.getState());
	return render(
		<Keyboard
			dispatcher={createDispatcher(bindings)}
			getContext={contextNow}
			onIntent={onIntent}
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
}
