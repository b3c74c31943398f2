import type { PasswordPrompt } from '../../foundation/sign-in.ts';
import type { HoldReason, OperationsState } from '../../operations/operations-state.ts';
import {
	currentStepOf,
	type Question,
	type QuestionStep,
	withAnswers,
} from '../../operations/question-wording.ts';
import type { Place } from '../actions/places.ts';
import { type DialogEntry, dialogEntryFor, filterEntryFor } from '../look/dialogs.ts';
import { type Confirmation, currentFilter, isMap, type Screen } from '../look/screen.ts';
import type { SignInForm } from '../look/sign-in-form.ts';

/**
 * The dialogs, menus and text fields. Every one of them closes with Esc, so every one of them holds the countdowns that Esc
 * would cancel.
 */
type DialogKind =
	| 'confirmation'
	| 'question'
	| 'palette'
	| 'columns'
	| 'order'
	| 'filter'
	| 'signIn'
	| 'password'
	| 'welcome'
	| 'help'
	| 'helpFilter';

export type OpenDialog = { entry: DialogEntry } & (
	| { kind: 'confirmation'; confirmation: Confirmation }
	| { kind: 'question'; question: Question; step: QuestionStep | undefined }
	| { kind: 'password'; prompt: PasswordPrompt }
	| { kind: 'signIn'; form: SignInForm }
	| { kind: Exclude<DialogKind, 'confirmation' | 'question' | 'password' | 'signIn'> }
);

/**
 * Dialogs that are not part of the state of the screen: a question about an operation, and the request for a
 * password.
 */
type DialogReasons = {
	operations: Pick<OperationsState, 'question'>;
	passwordPrompt: PasswordPrompt | undefined;
};

/**
 * Returns the topmost open dialog. A sign-in may ask for a password at any moment, so the password waits until
 * a question, a menu or a text field is closed: letters that a person types there must not go into it.
 */
export function openDialogOf(
	screen: Screen,
	{ operations: { question }, passwordPrompt: prompt }: DialogReasons,
): OpenDialog | undefined {
	const { confirmation, entry } = screen;
	if (confirmation) {
		return { kind: 'confirmation', confirmation, entry: dialogEntryFor(entry, confirmation) };
	}
	if (question) return questionDialogOf(question, entry);
	if (screen.palette) return { kind: 'palette', entry: dialogEntryFor(entry, 'palette') };
	if (screen.columnMenu) return { kind: 'columns', entry: dialogEntryFor(entry, 'columns') };
	if (screen.isOrderMenuOpen) return { kind: 'order', entry: dialogEntryFor(entry, 'order') };
	if (screen.isFiltering) {
		return { kind: 'filter', entry: filterEntryFor(entry, currentFilter(screen)) };
	}
	if (screen.signInForm)
		return { kind: 'signIn', form: screen.signInForm, entry: dialogEntryFor(entry, 'signIn') };
	if (prompt) return { kind: 'password', prompt, entry: dialogEntryFor(entry, prompt) };
	if (screen.isWelcomeOpen) return { kind: 'welcome', entry: dialogEntryFor(entry, 'welcome') };
	if (screen.isHelpOpen && screen.help.isFiltering)
		return { kind: 'helpFilter', entry: dialogEntryFor(entry, 'helpFilter', screen.help.filter) };
	return screen.isHelpOpen ? { kind: 'help', entry: dialogEntryFor(entry, 'help') } : undefined;
}

function questionDialogOf(asked: Question, latest: DialogEntry | undefined): OpenDialog {
	const entry = dialogEntryFor(latest, asked, initialTextOf(currentStepOf(asked)));
	const question = withAnswers(asked, entry.answers);
	return { kind: 'question', question, step: currentStepOf(question), entry };
}

export const initialTextOf = (step: QuestionStep | undefined) =>
	step?.kind === 'text' || step?.kind === 'account' ? step.initialText : '';

export function placeOf(dialog: OpenDialog | undefined, screen: Screen): Place {
	// Any key closes the welcome and acts, as if it were not there.
	if (!dialog || dialog.kind === 'welcome') return isMap(screen) ? 'map' : screen.view;
	if (dialog.kind === 'confirmation') return 'question';
	if (dialog.kind === 'helpFilter') return 'filter';
	if (dialog.kind === 'question') return dialog.step?.kind === 'yes' ? 'question' : 'field';
	return dialog.kind;
}

/**
 * Returns why countdowns pause; undefined if nothing is open, so that Esc cancels them. This is the only place that
 * decides it, without a look at the kind, so that a new dialog holds countdowns as well.
 */
export function holdReasonOf(dialog: OpenDialog | undefined): HoldReason | undefined {
	if (dialog === undefined) return undefined;
	const isQuit = dialog.kind === 'confirmation' && dialog.confirmation.about === 'leave';
	return isQuit ? 'quit' : 'dialog';
}
