import type { PasswordRequest } from '../accounts/password-request.ts';
import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { ExitSummary } from '../operations/exit-summary.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import { currentStepOf, type Question } from '../operations/question.ts';
import { currentFilter } from '../screen/screen.ts';
import type { Dialog } from '../wording/dialog-text.ts';
import { confirmationDialog, questionDialog } from '../wording/question-text.ts';
import { passwordDialog, welcomeDialog } from '../wording/sign-in-text.ts';
import { spellOut } from '../wording/words.ts';
import type { Scene, SceneReader } from './scene.ts';
import type { Speech, TypedLine } from './speech.ts';
import { textOfSpans } from './words.ts';

type DialogSpeakerDeps = {
	scenes: SceneReader;
	passwordRequest: PasswordRequest | undefined;
	operations: Operations;
	speech: Speech;
	/** Called after the password prompt has been spoken. */
	onPasswordPromptSpoken: () => void;
};

/**
 * Speaks a dialog when it opens, speaks the lines that change while it is open, and shows the line that a
 * person types.
 */
export function createDialogSpeaker({
	scenes,
	passwordRequest,
	operations,
	speech,
	onPasswordPromptSpoken: onPasswordSpoken,
}: DialogSpeakerDeps) {
	let spoken: DialogWords | undefined;
	let previousPrompt: ReturnType<PasswordRequest['prompt']>;

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
			const scene = scenes.sceneNow();
			const passwordPrompt = passwordRequest?.prompt();
			const dialog = dialogWords(scene, { passwordPrompt, exitSummary: operations.exitSummary });
			const line = typedLineOf(scene, passwordPrompt, currentFilter(scene.screen));
			// The typed line of the previous dialog ends before a new dialog is spoken.
			if (dialog && dialog.dialogId !== spoken?.dialogId) speech.type(undefined);
			if (dialog) speak(dialog);
			const isNew = dialog?.dialogId !== spoken?.dialogId;
			spoken = dialog;
			speech.type(line);
			if (passwordPrompt && passwordPrompt !== previousPrompt) onPasswordSpoken();
			previousPrompt = passwordPrompt;
			if (isNew && dialog?.isAboutOperation) operations.noteQuestionShown();
		},
	};
}

/** The spoken form of an open dialog. */
type DialogWords = {
	/**
	 * Identifies the dialog. If this id changes, the whole dialog is spoken; otherwise only the new lines are
	 * spoken.
	 */
	dialogId: string;
	title: string;
	lines: readonly string[];
	/** The question that a single key answers, if there is one. */
	prompt: string | undefined;
	/**
	 * Whether the dialog asks about an operation. Such a question accepts keys only after it has been spoken.
	 */
	isAboutOperation: boolean;
};

const welcomeKeys = 'Press l to sign in to your account, or Enter to look around the demo.';

type DialogSources = { passwordPrompt: PasswordPrompt | undefined; exitSummary: () => ExitSummary };

function dialogWords(
	scene: Scene,
	{ passwordPrompt, exitSummary }: DialogSources,
): DialogWords | undefined {
	const { screen, operationsState, account, visibleRows } = scene;
	if (screen.confirmation) {
		const { about, openedAt } = screen.confirmation;
		const dialog = confirmationDialog(screen.confirmation, exitSummary());
		return dialogWordsFrom(`${about} ${openedAt}`, dialog, textOfSpans(dialog.prompt), []);
	}
	if (passwordPrompt) {
		const key = `password ${passwordPrompt.problem ?? ''}`;
		return dialogWordsFrom(key, passwordDialog(passwordPrompt, 0), undefined, []);
	}
	const { question } = operationsState;
	if (!question)
		return screen.isWelcoming
			? dialogWordsFrom('welcome', welcomeDialog, welcomeKeys, [])
			: undefined;
	const step = currentStepOf(question);
	// The time is fixed, because a duration that grows would be spoken as a new line every second.
	const inView = { screen, ids: visibleRows.ids, now: question.openedAt };
	const dialog = questionDialog(question, account, inView);
	const prompt = step?.kind === 'yes' ? step.prompt : undefined;
	return {
		...dialogWordsFrom(question.id, dialog, prompt, textsSpokenExactly(question)),
		isAboutOperation: true,
	};
}

// Returns the texts that a person may copy or type. They are spoken without changes.
function textsSpokenExactly({ command, targets }: Question): readonly string[] {
	return [command, ...targets.map(({ name }) => name)];
}

function dialogWordsFrom(
	key: string,
	{ title, lines, commands: [command = ''] = [], problem = '' }: Dialog,
	prompt: string | undefined,
	exactTexts: readonly string[],
): DialogWords {
	const texts = [...lines.map(([text]) => text), command, problem].filter(text => text !== '');
	const spokenTexts = texts.map(text =>
		exactTexts.some(each => each !== '' && text.includes(each)) ? text : spellOut(text),
	);
	return { dialogId: key, title, lines: spokenTexts, prompt, isAboutOperation: false };
}

/** Returns the line that a person is typing. For a password, only the prompt is shown. */
function typedLineOf(
	{ screen, operationsState }: Pick<Scene, 'screen'> & { operationsState: OperationsState },
	passwordPrompt: PasswordPrompt | undefined,
	filter: string,
): TypedLine | undefined {
	if (screen.confirmation) return undefined;
	if (passwordPrompt) return { lineId: 'password', prompt: 'Password, not shown:', typed: '' };
	const { question } = operationsState;
	if (question) {
		const step = currentStepOf(question);
		if (!step || step.kind === 'yes') return undefined;
		const key = `${question.id} ${question.answers.length}`;
		return { lineId: key, prompt: step.prompt, typed: question.typedText };
	}
	if (screen.palette) return { lineId: 'palette', prompt: 'Command:', typed: screen.palette.text };
	return screen.isFiltering ? { lineId: 'filter', prompt: 'Filter:', typed: filter } : undefined;
}
