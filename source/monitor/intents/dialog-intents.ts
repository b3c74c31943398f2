import { globalIdOf } from '../../fleet/computers/global-id.ts';
import { type DialogAnswer, yesKeyOf } from '../../keys/binding.ts';
import { ignoresEarlyKeys, initialTextOf, type OpenDialog } from '../../keys/open-dialog.ts';
import { shownKey } from '../../keys/shown-keys.ts';
import type { Operations } from '../../operations/operations.ts';
import type { AnswerResult } from '../../operations/question.ts';
import {
	commandOf,
	currentStepOf,
	isAnswered,
	problemWithAnswer,
	shownCommandOf,
	withAnswers,
	withTypedAnswer,
	yesAnswer,
} from '../../operations/question-wording.ts';
import { cleanLine } from '../../platform/decoding/clean.ts';
import {
	type DialogEntry,
	isTooNewToConfirm,
	type LineAssist,
	readingTimeMs,
} from '../../screen/dialog-entry.ts';
import { applyMove } from '../../screen/move.ts';
import type { Confirmation } from '../../screen/screen.ts';
import { type Edit, type TypedLine, typedLineFrom, withEdit } from '../../screen/typed-line.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import type { HandlerDeps, IntentHandlers } from './intent-handlers.ts';
import { createLineIntents, rememberLine } from './line-intents.ts';
import { withPaletteOpen } from './open-palette.ts';
import { copyAndDescribe } from './port-intents.ts';
import { type createSignInFormIntents, maskedLine } from './sign-in-form-intents.ts';

type DialogIntentDeps = Pick<
	HandlerDeps,
	| 'screenStore'
	| 'openDialog'
	| 'bindings'
	| 'accountsNow'
	| 'passwordRequest'
	| 'lendTerminal'
	| 'clock'
> & {
	operations: Pick<Operations, 'ask' | 'answer' | 'closeQuestion'>;
	terminal: Pick<Terminal, 'copyToClipboard' | 'isKeyAlone'>;
	say: (notice: string) => void;
	signInForm: Pick<ReturnType<typeof createSignInFormIntents>, 'edit' | 'answer'>;
	/** Called after a question was confirmed. */
	onAnswered: (result: AnswerResult) => void;
	/** Called after a question about the program or the account was confirmed. */
	onConfirmed: (confirmation: Confirmation) => void;
};

type DialogIntentHandlers = Pick<
	IntentHandlers,
	'edit' | 'answer' | 'recall' | 'searchHistory' | 'complete'
> &
	Pick<ReturnType<typeof createLineIntents>, 'cancelSearch'>;

type DialogOf<K extends OpenDialog['kind']> = Extract<OpenDialog, { kind: K }>;

const cutText = 'The question does not fit here. Enlarge the terminal to answer it.';

/** Creates the handlers of every key in a dialog or a text field. */
export function createDialogIntents(deps: DialogIntentDeps): DialogIntentHandlers {
	const { screenStore, openDialog, operations, passwordRequest, bindings } = deps;
	const { terminal, clock, say } = deps;
	// The letters of a password. The screen state holds only dots.
	let secret = { id: undefined as unknown, line: typedLineFrom('') };

	const secretLineOf = ({ entry }: OpenDialog) =>
		secret.id === entry.id ? secret.line : typedLineFrom('');

	/** Whether a person cannot have read yet what the dialog asks. */
	function isTooNew({ entry }: OpenDialog): boolean {
		const { seenDialog } = screenStore.getState();
		const now = clock.now();
		// If the clock was set back, the dialog counts as visible only from this moment.
		if (seenDialog?.id === entry.id && now < seenDialog.visibleSince) {
			screenStore.setState({ seenDialog: { ...seenDialog, visibleSince: now } });
			return true;
		}
		return isTooNewToConfirm(seenDialog, entry, now);
	}

	/**
	 * Whether the key that is being handled may confirm the dialog: a person has been able to read it, and the key was not
	 * typed ahead together with others.
	 */
	const mayConfirm = (dialog: OpenDialog) =>
		!ignoresEarlyKeys(dialog) || (!isTooNew(dialog) && terminal.isKeyAlone());

	/**
	 * Whether a typed confirmation takes a key now. It takes the first one only after a pause, so that letters which were
	 * typed before a person could read it are ignored as a whole, and never only in part.
	 */
	function takesKey(dialog: OpenDialog): boolean {
		const { seenDialog: seen } = screenStore.getState();
		const now = clock.now();
		const isUnread = isTooNew(dialog);
		if (!isUnread && seen?.takesLetters) return true;
		const isTooSoon =
			isUnread || Math.abs(now - (seen?.ignoredKeyAt ?? Number.NEGATIVE_INFINITY)) < readingTimeMs;
		if (seen)
			screenStore.setState({
				seenDialog: isTooSoon ? { ...seen, ignoredKeyAt: now } : { ...seen, takesLetters: true },
			});
		return !isTooSoon;
	}

	function setEntry({ entry }: OpenDialog, change: Partial<DialogEntry>) {
		screenStore.setState({ entry: { ...entry, problem: undefined, assist: undefined, ...change } });
	}

	function setSecret(dialog: DialogOf<'password'>, line: TypedLine) {
		secret = { id: dialog.entry.id, line };
		setEntry(dialog, { line: maskedLine(line) });
	}

	/** Shows the edited line. The filter and the palette react to each letter. */
	function setLine(
		dialog: OpenDialog,
		line: TypedLine,
		assist: LineAssist | undefined,
		shown: VisibleRows,
	) {
		if (dialog.kind === 'helpFilter') {
			const { help } = screenStore.getState();
			screenStore.setState({ help: { ...help, filter: line.text }, scroll: 0 });
		}
		if (dialog.kind !== 'filter' && dialog.kind !== 'palette')
			return setEntry(dialog, { line, assist });
		const entry = { ...dialog.entry, line, assist, problem: undefined };
		const screen = { ...screenStore.getState(), entry };
		if (line.text === dialog.entry.line.text) return screenStore.setState(screen, true);
		if (dialog.kind === 'palette')
			return screenStore.setState(withPaletteOpen(deps, screen, shown), true);
		screenStore.setState(applyMove(screen, { type: 'setFilter', text: line.text }, shown), true);
	}

	function answerConfirmation({ confirmation }: DialogOf<'confirmation'>, answer: DialogAnswer) {
		const { about, equivalentCommand: command } = confirmation;
		if (answer === 'startFirst') return;
		if (answer === 'copy') {
			if (command !== undefined) say(copyAndDescribe(terminal, command));
			return;
		}
		// The quit dialog stays open until the program has ended, because closing it would restart countdowns.
		if (answer !== 'yes' || about !== 'leave') screenStore.setState({ confirmation: undefined });
		if (answer === 'yes') deps.onConfirmed(confirmation);
	}

	function answerQuestion(dialog: DialogOf<'question'>, answer: DialogAnswer) {
		const { question, step, entry } = dialog;
		const { answers } = question;
		const last = answers.at(-1);
		if (answer === 'copy') {
			const shown = withTypedAnswer(question, entry.line.text);
			return say(copyAndDescribe(terminal, commandOf(shown), shownCommandOf(shown) ?? ''));
		}
		if (answer === 'startFirst') {
			const { starting, operation, targets, skipped, openingKey } = question;
			const ids = [...targets, ...skipped].map(({ account, id }) => globalIdOf(account, id));
			const next = starting === 'offered' ? 'chosen' : 'offered';
			if (starting) operations.ask(operation, ids, { openingKey, starting: next });
			return;
		}
		if (answer === 'back' && last !== undefined) {
			return setEntry(dialog, { answers: answers.slice(0, -1), line: typedLineFrom(last) });
		}
		if (answer === 'back' || answer === 'no') {
			return operations.closeQuestion();
		}
		const text = answer === 'yes' ? yesAnswer : entry.line.text;
		const problem = step && problemWithAnswer(step, text);
		if (problem !== undefined) return setEntry(dialog, { problem });
		const next = withAnswers(question, [...answers, text]);
		rememberLine(deps, dialog);
		if (isAnswered(next)) return deps.onAnswered(operations.answer(next));
		setEntry(dialog, {
			answers: next.answers,
			line: typedLineFrom(initialTextOf(currentStepOf(next))),
		});
	}

	/** Says that a key did not confirm, where the dialog has a line for it. */
	function sayTooEarly(dialog: OpenDialog, key: string) {
		if (dialog.kind === 'question')
			setEntry(dialog, { problem: `Too early: press ${shownKey(key)} again.` });
	}

	function answerPassword(dialog: DialogOf<'password'>, answer: DialogAnswer) {
		const { text } = secretLineOf(dialog);
		// Programs that type passwords send them together with Enter, and a password changes no computer.
		if (answer === 'startFirst' || (answer !== 'back' && isTooNew(dialog))) return;
		if (answer === 'submit' && text === '') return;
		if (answer === 'runCommand' && !dialog.prompt.hasCommand) return;
		setSecret(dialog, typedLineFrom(''));
		if (answer === 'submit') passwordRequest.submit(text);
		else if (answer === 'back') passwordRequest.cancel();
		else void deps.lendTerminal?.(passwordRequest.runCommand);
	}

	const lineIntents = createLineIntents({ ...deps, openDialog, setLine });

	return {
		...lineIntents,
		edit({ edit }, _screen, shown) {
			const dialog = openDialog();
			if (dialog?.kind === 'signIn') return deps.signInForm.edit(edit);
			const searchChange = searchChangeFrom(edit);
			if (dialog && searchChange && lineIntents.editSearch(dialog, searchChange, shown)) return;
			if (dialog?.kind === 'password') {
				setSecret(dialog, withEdit(secretLineOf(dialog), cleanEdit(edit, firstLine)));
			} else if (dialog?.kind === 'question') {
				const { step, entry } = dialog;
				const isRefused = edit.type === 'paste' && step?.kind === 'typed';
				if (isRefused) {
					setEntry(dialog, { problem: `Pasting does not confirm. Type ${step.expectedText}.` });
				} else if (step?.kind === 'typed' && !takesKey(dialog)) {
					setEntry(dialog, {
						problem: `Too early, so nothing was taken. Pause, then type ${step.expectedText}.`,
					});
				} else {
					setEntry(dialog, { line: withEdit(entry.line, cleanEdit(edit, cleanLine)) });
				}
			} else if (dialog) {
				const line = withEdit(dialog.entry.line, cleanEdit(edit, joinedLines));
				setLine(dialog, line, undefined, shown);
			}
		},
		answer({ answer, key }) {
			const dialog = openDialog();
			if (dialog?.kind === 'signIn') return deps.signInForm.answer(answer);
			// A dialog that has opened by itself cannot be closed before a person can have read it.
			if (dialog?.kind === 'password')
				return answer === 'back' && isTooNew(dialog) ? undefined : answerPassword(dialog, answer);
			if (dialog?.kind !== 'question' && dialog?.kind !== 'confirmation') return;
			const { openingKey } = dialog.kind === 'question' ? dialog.question : dialog.confirmation;
			if (answer === 'yes' && key !== yesKeyOf(bindings(), openingKey)) return;
			const isAccepting = answer === 'yes' || answer === 'submit';
			if (isAccepting && !mayConfirm(dialog)) {
				const isTyped = dialog.kind === 'question' && dialog.step?.kind === 'typed';
				if (isTyped) takesKey(dialog);
				return sayTooEarly(dialog, key);
			}
			if (isAccepting && screenStore.getState().seenDialog?.isCut) return say(cutText);
			if (dialog.kind === 'question') answerQuestion(dialog, answer);
			else answerConfirmation(dialog, answer);
		},
	};
}

/** Returns how an edit changes the searched text of a history search; undefined if it ends the search. */
function searchChangeFrom(edit: Edit): ((typed: string) => string) | undefined {
	if ('text' in edit) return typed => typed + cleanLine(edit.text);
	const isErasing = edit.type === 'erase' && edit.to !== 'right' && edit.to !== 'wordRight';
	return isErasing ? typed => withEdit(typedLineFrom(typed), edit).text : undefined;
}

/** Returns the edit with a pasted text that is safe to insert: a single line, so that it never submits. */
function cleanEdit(edit: Edit, clean: (text: string) => string): Edit {
	return edit.type === 'paste' ? { ...edit, text: clean(edit.text) } : edit;
}

/** Joins pasted lines with blanks, as the words of a filter or of the palette stand. */
function joinedLines(pasted: string): string {
	return cleanLine(
		pasted
			.split(/[\r\n]+/)
			.filter(line => line !== '')
			.join(' '),
	);
}

/** Returns the first line of a pasted password. Nothing but control characters is removed from it. */
function firstLine(pasted: string): string {
	const [line = ''] = pasted.split(/[\r\n]/);
	return line.replace(/\p{Cc}/gu, '');
}
