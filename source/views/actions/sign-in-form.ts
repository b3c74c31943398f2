import {
	fieldsOfWay,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
	subjectOf,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import {
	adjacentFieldOf,
	fieldToCorrect,
	openSignInForm as openedForm,
	type SignInForm,
	signsInHere,
	typedAnswers,
	withFieldLine,
	withWayChosen,
} from '../look/dialogs.ts';
import { type Edit, type TypedLine, typedLineFrom, withEdit } from '../look/typed-line.ts';
import { signInAttemptText } from '../phrases/words.ts';
import type { ActionContext } from '../scene.ts';

// The sign-in form. The letters of secrets are only in the state of the keys; the state of the screen has dots.

/** Opens the form with what was typed before. Returns false if no account can be added here. */
export function openSignInForm({ screenStore, tableAccounts, keyState }: ActionContext): boolean {
	if (!tableAccounts) return false;
	const answers = { profile: tableAccounts.newProfileName(), ...keyState.signInAnswers };
	screenStore.setState({ signInForm: openedForm(answers, tableAccounts.stayingNames()) });
	return true;
}

const formOf = ({ screenStore }: ActionContext) => screenStore.getState().signInForm;

function show({ screenStore }: ActionContext, signInForm: SignInForm | undefined) {
	screenStore.setState({ signInForm });
}

function close(context: ActionContext) {
	context.keyState.secrets.clear();
	context.keyState.signInTrial = undefined;
	show(context, undefined);
}

const lineOf = ({ keyState }: ActionContext, form: SignInForm, field: SignInField): TypedLine =>
	signInFieldRows[field].isSecret
		? (keyState.secrets.get(field) ?? typedLineFrom(''))
		: form.lines[field];

export function editSignInForm(context: ActionContext, edit: Edit) {
	const form = formOf(context);
	if (!form || form.isTrying) return;
	const { field } = form;
	if (field === 'way') {
		const text = 'text' in edit ? edit.text : '';
		if (edit.type === 'insert' || edit.type === 'move') show(context, withWayChosen(form, text));
		return;
	}
	const isTyped = edit.type === 'insert' || edit.type === 'paste';
	const isReplaced = isTyped && form.refusedSecret === field;
	const earlier = isReplaced ? typedLineFrom('') : lineOf(context, form, field);
	const line = withEdit(earlier, oneLine(edit));
	const refusedSecret = form.refusedSecret === field ? undefined : form.refusedSecret;
	const next = { ...form, refusedSecret, problem: undefined, note: undefined };
	const { isSecret } = signInFieldRows[field];
	if (isSecret) context.keyState.secrets.set(field, line);
	show(context, withFieldLine(next, field, isSecret ? maskedLine(line) : line));
}

export const moveInForm = (steps: 1 | -1) => (context: ActionContext) => {
	const form = formOf(context);
	if (!form || form.isTrying) return;
	const { problem: _, ...left } = checked(context, form, form.field);
	show(context, { ...left, field: adjacentFieldOf(form, steps) ?? form.field });
};

/** Returns the form with the normalized answer of a field, or with the reason why the answer is invalid. */
function checked(context: ActionContext, form: SignInForm, field: SignInField): SignInForm {
	const { check, isSecret } = signInFieldRows[field];
	const { value, problem, note } = check(lineOf(context, form, field).text);
	if (value === undefined) return { ...form, problem: `${subjectOf(field)} ${problem}.` };
	// A secret is not normalized, because a person could not see the change behind the dots.
	return isSecret ? form : { ...withFieldLine(form, field, typedLineFrom(value)), note };
}

/** Goes to the next field, or signs in from the secret and from the last field. An invalid answer is explained instead. */
export function submitSignInForm(context: ActionContext) {
	const form = formOf(context);
	if (!form || form.isTrying) return;
	const here = checked(context, { ...form, problem: undefined }, form.field);
	if (here.problem !== undefined) return show(context, here);
	const next = adjacentFieldOf(here, 1);
	if (next && !signsInHere(here)) return show(context, { ...here, field: next });
	for (const field of fieldsOfWay(here.way)) {
		const each = checked(context, here, field);
		if (each.problem !== undefined) return show(context, { ...each, field });
	}
	void signIn(context, here);
}

async function signIn(context: ActionContext, form: SignInForm) {
	const { tableAccounts, keyState, clock, say } = context;
	const answers = Object.fromEntries(
		signInFields.map(field => {
			const { text } = lineOf(context, form, field);
			return [field, signInFieldRows[field].check(text).value ?? text];
		}),
	) as SignInAnswers;
	keyState.signInTrial = new AbortController();
	const { signal } = keyState.signInTrial;
	show(context, { ...form, isTrying: true, problem: undefined });
	const result = await tableAccounts?.signIn(answers, signal).catch((error: unknown) => {
		return { isSignedIn: false, fields: [], message: messageOf(error), advice: '' } as const;
	});
	const after = formOf(context);
	if (!after?.isTrying || !result) return;
	if (result.isSignedIn) {
		keyState.signInAnswers = {};
		close(context);
		return say(result.notice);
	}
	const stopped: SignInForm = { ...after, isTrying: false };
	if (signal.aborted) return show(context, stopped);
	const field = fieldToCorrect(result.fields) ?? after.field;
	const refusedSecret = signInFieldRows[field].isSecret ? field : undefined;
	const refusedCount = (after.refusedCount ?? 0) + 1;
	const reason = `${result.message} ${result.advice}`.trim();
	const now = clock.now();
	const problem = signInAttemptText(reason, refusedCount, now, now);
	show(context, { ...stopped, field, refusedSecret, refusedCount, problem });
}

/** Stops the sign-in under way, or closes the form and keeps what was typed, except secrets. */
export function leaveSignInForm(context: ActionContext) {
	const form = formOf(context);
	if (!form) return;
	if (form.isTrying) return context.keyState.signInTrial?.abort();
	context.keyState.signInAnswers = typedAnswers(form);
	close(context);
}

/** Returns a paste that is safe to insert: its first line without control characters, so that it never submits. */
function oneLine(edit: Edit): Edit {
	if (edit.type !== 'paste') return edit;
	const [line = ''] = edit.text.trim().split(/[\r\n]/);
	return { ...edit, text: line.replace(/\p{Cc}/gu, '') };
}

/** Returns a line that has a dot for each letter. */
export function maskedLine({ text, caret }: TypedLine): TypedLine {
	const dotsFor = (letters: string) => '•'.repeat(Array.from(letters).length);
	return { text: dotsFor(text), caret: dotsFor(text.slice(0, caret)).length };
}
