import { globalIdOf } from '../../fleet/computers/global-id.ts';
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
import { type DialogOf, initialTextOf } from '../../views/dialogs/dialog-table.ts';
import { shownKey, yesKeyOf } from '../../views/keys.ts';
import { typedLineFrom } from '../../views/look/typed-line.ts';
import type { ActionContext } from '../../views/scene.ts';
import { isTooNew, takesKey } from './deafness.ts';
import { rememberLine, setEntry } from './fields.ts';
import { reportAsked } from './operations.ts';
import { copy } from './ports.ts';
import { leaveSignInForm, submitSignInForm } from './sign-in.ts';

const cutText = 'The question does not fit here. Enlarge the terminal to answer it.';

/** The key that opened a question never confirms it. */
export function sayYes(context: ActionContext) {
	const dialog = context.scene().dialog;
	if (dialog?.kind !== 'question' && dialog?.kind !== 'confirmation') return;
	const { openingKey } = dialog.kind === 'question' ? dialog.question : dialog.confirmation;
	if (context.key !== yesKeyOf(context.scene().actions, openingKey)) return;
	if (!acceptsNow(context, dialog)) return;
	if (dialog.kind === 'question') answerStep(context, dialog, yesAnswer);
	else confirm(context, dialog);
}

export function submit(context: ActionContext) {
	const dialog = context.scene().dialog;
	if (dialog?.kind === 'signIn') submitSignInForm(context);
	else if (dialog?.kind === 'password') submitPassword(context, dialog);
	else if (dialog?.kind === 'question' && acceptsNow(context, dialog))
		answerStep(context, dialog, dialog.entry.line.text);
}

function acceptsNow(context: ActionContext, dialog: DialogOf<'question' | 'confirmation'>) {
	const { screenStore, key, say } = context;
	if (isTooNew(context, dialog) || !context.terminal.isKeyAlone()) {
		if (dialog.kind !== 'question') return false;
		if (dialog.step?.kind === 'typed') takesKey(context, dialog);
		setEntry(context, dialog, { problem: `Too early: press ${shownKey(key)} again.` });
		return false;
	}
	const isCut = screenStore.getState().seenDialog?.isCut === true;
	if (isCut) say(cutText);
	return !isCut;
}

function answerStep(context: ActionContext, dialog: DialogOf<'question'>, answer: string) {
	const { question, step } = dialog;
	const problem = step && problemWithAnswer(step, answer);
	if (problem !== undefined) return setEntry(context, dialog, { problem });
	const next = withAnswers(question, [...question.answers, answer]);
	rememberLine(context);
	if (isAnswered(next)) return reportAsked(context, context.sessions.operations.answer(next));
	const line = typedLineFrom(initialTextOf(currentStepOf(next)));
	setEntry(context, dialog, { answers: next.answers, line });
}

function confirm(context: ActionContext, { confirmation }: DialogOf<'confirmation'>) {
	// The quit dialog stays open until the program has ended, because closing it would restart countdowns.
	if (!confirmation.isQuit) context.screenStore.setState({ confirmation: undefined });
	confirmation.onYes();
}

export function sayNo(context: ActionContext) {
	const dialog = context.scene().dialog;
	if (dialog?.kind === 'question') context.sessions.operations.closeQuestion();
	else if (dialog?.kind === 'confirmation')
		context.screenStore.setState({ confirmation: undefined });
}

export function goBack(context: ActionContext) {
	const dialog = context.scene().dialog;
	if (dialog?.kind === 'signIn') return leaveSignInForm(context);
	if (dialog?.kind === 'password')
		return endPassword(context, dialog, context.passwordRequest.cancel);
	const answers = dialog?.kind === 'question' ? dialog.question.answers : [];
	const last = answers.at(-1);
	if (!dialog || last === undefined) return sayNo(context);
	setEntry(context, dialog, { answers: answers.slice(0, -1), line: typedLineFrom(last) });
}

export function copyCommand(context: ActionContext) {
	const dialog = context.scene().dialog;
	if (dialog?.kind === 'question') {
		const shown = withTypedAnswer(dialog.question, dialog.entry.line.text);
		copy(context, commandOf(shown), shownCommandOf(shown) ?? '');
	}
	const command = dialog?.kind === 'confirmation' && dialog.confirmation.equivalentCommand;
	if (command) copy(context, command);
}

export const showPage = (direction: 1 | -1) => (context: ActionContext) => {
	const { dialog } = context.scene();
	if (dialog) setEntry(context, dialog, { page: (dialog.entry.page ?? 0) + direction });
};

/** In a field with choices, it puts the next one there, or the one that the typed text begins. */
export function startFirst(context: ActionContext) {
	const { scene, sessions } = context;
	const { dialog } = scene();
	if (dialog?.kind !== 'question') return;
	const { choices } = dialog.step ?? {};
	if (choices) {
		const text = dialog.entry.line.text.trim();
		const begun = choices.find(each => each !== text && each.startsWith(text));
		const next = choices[(choices.indexOf(text) + 1) % choices.length] ?? '';
		return setEntry(context, dialog, { line: typedLineFrom(begun ?? next) });
	}
	if (!dialog.question.starting) return;
	const { starting, operation, targets, skipped, openingKey } = dialog.question;
	const ids = [...targets, ...skipped].map(({ account, id }) => globalIdOf(account, id));
	const next = starting === 'offered' ? 'chosen' : 'offered';
	sessions.operations.ask(operation, ids, { openingKey, starting: next });
}

// Programs type a password together with Enter, and it changes no computer, so the key need not come alone.

function submitPassword(context: ActionContext, dialog: DialogOf<'password'>) {
	const { text } = dialog.entry.line;
	if (text !== '') endPassword(context, dialog, () => context.passwordRequest.submit(text));
}

export function runPasswordCommand(context: ActionContext) {
	const { lendTerminal, passwordRequest, scene } = context;
	const { dialog } = scene();
	if (dialog?.kind !== 'password' || !dialog.prompt.hasCommand) return;
	endPassword(context, dialog, () => void lendTerminal?.(passwordRequest.runCommand));
}

function endPassword(context: ActionContext, dialog: DialogOf<'password'>, end: () => void) {
	if (isTooNew(context, dialog)) return;
	setEntry(context, dialog, { line: typedLineFrom('') });
	end();
}
