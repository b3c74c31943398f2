import type { Clock } from '../foundation/clock.ts';
import { spellOut } from '../lines/print.ts';
import type { MonitorState } from '../monitor/monitor-state.ts';
import type { Operations } from '../operations/operations.ts';
import { commandOf, type Question } from '../operations/question-wording.ts';
import { typedLineFrom } from '../screen/typed-line.ts';
import type { OpenDialog } from '../views/dialogs/dialog-table.ts';
import { openDialogText } from '../views/dialogs/open-dialog.ts';
import type { Action } from '../views/scene.ts';
import type { SceneReader, SpokenScene } from './scene.ts';
import type { Speech, SpokenTypedLine } from './speech.ts';

type DialogSpeakerDeps = {
	scenes: SceneReader;
	state: Pick<MonitorState, 'screenStore' | 'openDialog'>;
	operations: Operations;
	actions: readonly Action[];
	speech: Speech;
	clock: Clock;
};

/**
 * Speaks a dialog when it opens, speaks the lines that change while it is open, and shows the line that a
 * person types.
 */
export function createDialogSpeaker(deps: DialogSpeakerDeps) {
	const { scenes, state, speech, clock } = deps;
	let spoken: DialogWords | undefined;
	let spokenStep = 0;

	function speak(dialog: DialogWords) {
		const prompt = dialog.prompt === undefined ? [] : [dialog.prompt];
		if (dialog.dialogId !== spoken?.dialogId) {
			speech.say([dialog.title, ...dialog.lines, ...prompt]);
			return;
		}
		const previousLines = spoken.lines;
		speech.say(dialog.lines.filter(line => !previousLines.includes(line)));
	}

	return {
		update() {
			const open = state.openDialog();
			const dialog = open && dialogWords(open, scenes.sceneNow(), deps);
			const isNew = dialog?.dialogId !== spoken?.dialogId;
			const step = open?.entry.answers.length ?? 0;
			// The typed line of the previous dialog ends before a new dialog is spoken.
			if (dialog && isNew) speech.type(undefined);
			if (dialog) speak(dialog);
			else if (spoken) speech.say(['Closed.']);
			spoken = dialog;
			speech.type(open && typedLineOf(open));
			// Nothing confirms a dialog, or the next step of one, before it has been spoken.
			if (dialog && (isNew || step !== spokenStep)) {
				spokenStep = step;
				state.screenStore.setState({
					seenDialog: { id: dialog.dialogId, step, visibleSince: clock.now() },
				});
			}
		},
	};
}

/** The spoken form of an open dialog. */
type DialogWords = {
	/**
	 * Identifies the dialog. If this id changes, the whole dialog is spoken; otherwise only the new lines are
	 * spoken.
	 */
	dialogId: object | string;
	title: string;
	lines: readonly string[];
	/** The question that a single key answers, if there is one. */
	prompt: string | undefined;
};

function dialogWords(
	open: OpenDialog,
	scene: SpokenScene,
	{ operations: { exitSummary }, actions }: DialogSpeakerDeps,
): DialogWords | undefined {
	// A question keeps the time at which it opened, because a growing duration would be spoken as a new line every
	// second.
	const now = open.kind === 'question' ? open.question.openedAt : scene.now;
	// The typed text is left out. Otherwise the equivalent command would be spoken again after every letter.
	const untyped = { ...open, entry: { ...open.entry, line: typedLineFrom('') } };
	const shown = { ...scene, shown: scene.visibleRows, now, exitSummary, actions };
	const dialog = openDialogText(untyped, shown);
	if (!dialog) return undefined;
	const { title, lines, command = '', problem = '', news = '' } = dialog;
	const exactTexts = open.kind === 'question' ? textsSpokenExactly(open.question) : [];
	const texts = [...lines.map(([text]) => text), command, problem, news].filter(
		text => text !== '',
	);
	const spokenTexts = texts.map(text =>
		exactTexts.some(each => each !== '' && text.includes(each)) ? text : spellOut(text),
	);
	return {
		dialogId: open.entry.id,
		title,
		lines: spokenTexts,
		prompt: dialog.typed ? undefined : `${spellOut(dialog.hints.join(', '))}.`,
	};
}

// Returns the texts that a person may copy or type. They are spoken without changes.
function textsSpokenExactly(question: Question): readonly string[] {
	return [commandOf(question), ...question.targets.map(({ name }) => name)];
}

/** Returns the line that a person is typing. For a password, only the prompt is shown. */
function typedLineOf(dialog: OpenDialog): SpokenTypedLine | undefined {
	const { kind, entry } = dialog;
	const typed = entry.line.text;
	const { assist } = entry;
	if (assist?.kind === 'search' && kind !== 'password')
		return { lineId: `history ${assist.typed}`, prompt: `History, ${assist.typed}:`, typed };
	switch (kind) {
		case 'password':
			return { lineId: 'password', prompt: 'Password, not shown:', typed: '' };
		case 'question': {
			const { question, step } = dialog;
			if (!step || step.kind === 'yes') return undefined;
			return { lineId: `${question.id} ${question.answers.length}`, prompt: step.prompt, typed };
		}
		case 'palette':
			return { lineId: 'palette', prompt: 'Command:', typed };
		case 'filter':
			return { lineId: 'filter', prompt: 'Filter:', typed };
		default:
			return undefined;
	}
}
