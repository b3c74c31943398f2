import type { PasswordPrompt } from '../../accounts/password-request.ts';
import type { OperationsState } from '../../operations/operations.ts';
import {
	currentStepOf,
	type Question,
	type QuestionStep,
	withAnswers,
} from '../../operations/question-wording.ts';
import type { HoldReason } from '../../operations/why-not.ts';
import type { Place } from '../keys.ts';
import {
	type Confirmation,
	filterEntryOf,
	type Open,
	placeOfView,
	type Screen,
} from '../look/screen.ts';
import { type DialogEntry, dialogEntryFor } from '../look/typed-line.ts';

/** A dialog, menu or text field. Every one closes with Esc, so that it holds the countdowns that Esc would cancel. */
export type OpenDialog = { entry: DialogEntry } & (
	| { kind: 'confirmation'; confirmation: Confirmation }
	| { kind: 'question'; question: Question; step: QuestionStep | undefined }
	| { kind: 'password'; prompt: PasswordPrompt }
	| { kind: 'helpFilter' }
	| Open
);

export type DialogOf<K extends OpenDialog['kind']> = Extract<OpenDialog, { kind: K }>;

type OutsideScreen = {
	operations: Pick<OperationsState, 'question'>;
	passwordPrompt: PasswordPrompt | undefined;
};

/** A sign-in may ask for a password at any moment: letters that are typed in another field must not go into it. */
export function openDialogOf(
	screen: Screen,
	{ operations: { question: asked }, passwordPrompt: prompt }: OutsideScreen,
): OpenDialog | undefined {
	const { confirmation, open, entry: latest } = screen;
	const entryOf = (id: object | string, text?: string) => dialogEntryFor(latest, id, text);
	if (confirmation) return { kind: 'confirmation', confirmation, entry: entryOf(confirmation) };
	if (asked) {
		const entry = entryOf(asked, initialTextOf(currentStepOf(asked)));
		const question = withAnswers(asked, entry.answers);
		return { kind: 'question', question, step: currentStepOf(question), entry };
	}
	const isTypedOrChosenIn = open && open.kind !== 'help' && open.kind !== 'welcome';
	if (prompt && !isTypedOrChosenIn) return { kind: 'password', prompt, entry: entryOf(prompt) };
	if (open?.kind === 'filter') return { ...open, entry: filterEntryOf(screen) };
	if (open?.kind === 'help' && open.isFiltering)
		return { kind: 'helpFilter', entry: entryOf('helpFilter', open.filter) };
	return open && { ...open, entry: entryOf(open.kind) };
}

export const initialTextOf = (step: QuestionStep | undefined) =>
	step && 'initialText' in step ? step.initialText : '';

export function placeOf(dialog: OpenDialog | undefined, screen: Screen): Place {
	// Any key closes the welcome and acts, as if it were not there.
	if (!dialog || dialog.kind === 'welcome') return placeOfView(screen);
	if (dialog.kind === 'confirmation') return 'question';
	if (dialog.kind === 'helpFilter') return 'filter';
	if (dialog.kind === 'question') return dialog.step?.kind === 'yes' ? 'question' : 'field';
	return dialog.kind;
}

/** Undefined if Esc has nothing to close, so that it cancels countdowns. Every dialog holds them, also a new one. */
export function holdReasonOf(
	dialog: OpenDialog | undefined,
	{ pastAt }: Pick<Screen, 'pastAt'>,
): HoldReason | undefined {
	if (dialog === undefined) return pastAt === undefined ? undefined : 'dialog';
	const isQuit = dialog.kind === 'confirmation' && dialog.confirmation.isQuit;
	return isQuit ? 'quit' : 'dialog';
}
