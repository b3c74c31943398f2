import {
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import {
	checked,
	fieldBeside,
	fieldsOf,
	openAnswersIn,
	openSignInForm as openedForm,
	type SignInForm,
	signsInHere,
	withLine,
	withWayTyped,
} from '../look/sign-in-form.ts';
import { type Edit, typedLineFrom, withEdit } from '../look/typed-line.ts';
import { signInAttemptText } from '../phrases/words.ts';
import type { ActionContext } from '../scene.ts';

/** Opens the form with what was typed before, except secrets. Returns false if no account can be added here. */
export function openSignInForm({ screenStore, tableAccounts, keyState }: ActionContext): boolean {
	if (!tableAccounts) return false;
	const answers = { profile: tableAccounts.newProfileName(), ...keyState.signInAnswers };
	const form = openedForm(answers, tableAccounts.stayingNames());
	screenStore.setState({ open: { kind: 'signIn', form } });
	return true;
}

function formOf({ scene }: ActionContext): SignInForm | undefined {
	const { open } = scene().screen;
	return open?.kind === 'signIn' ? open.form : undefined;
}

/** Returns the form unless it is signing in, which only Esc stops. */
function editableForm(context: ActionContext): SignInForm | undefined {
	const form = formOf(context);
	return form?.isTrying ? undefined : form;
}

function show({ screenStore }: ActionContext, form: SignInForm | undefined) {
	screenStore.setState({ open: form && { kind: 'signIn', form } });
}

export function editSignInForm(context: ActionContext, edit: Edit) {
	const form = editableForm(context);
	if (!form) return;
	const { field, lines, refusedSecret } = form;
	if (field === 'way') {
		if (edit.type === 'insert') show(context, withWayTyped(form, edit.text));
		if (edit.type === 'move') show(context, withWayTyped(form, ''));
		return;
	}
	const isReplaced = 'text' in edit && refusedSecret === field;
	const line = isReplaced ? typedLineFrom('') : lines[field];
	show(context, withLine(form, field, withEdit(line, edit)));
}

export const moveInForm = (steps: 1 | -1) => (context: ActionContext) => {
	const form = editableForm(context);
	if (!form) return;
	const left = { ...checked(form, form.field), problem: undefined };
	show(context, { ...left, field: fieldBeside(form, steps) ?? form.field });
};

/** Goes to the next field, or signs in from the secret and from the last field. An invalid answer is explained instead. */
export function submitSignInForm(context: ActionContext) {
	const form = editableForm(context);
	if (!form) return;
	let here = checked({ ...form, problem: undefined }, form.field);
	if (here.problem !== undefined) return show(context, here);
	const next = fieldBeside(here, 1);
	if (next && !signsInHere(here)) return show(context, { ...here, field: next });
	for (const field of fieldsOf(here)) {
		here = checked(here, field);
		if (here.problem !== undefined) return show(context, { ...here, field });
	}
	void signIn(context, here);
}

async function signIn(context: ActionContext, form: SignInForm) {
	const { tableAccounts, keyState, clock, say } = context;
	const answers = Object.fromEntries(
		signInFields.map(field => [field, form.lines[field].text]),
	) as SignInAnswers;
	keyState.signInTrial = new AbortController();
	const { signal } = keyState.signInTrial;
	show(context, { ...form, isTrying: true });
	const result = await tableAccounts?.signIn(answers, signal).catch((error: unknown) => {
		return { isSignedIn: false, fields: [], message: messageOf(error), advice: '' } as const;
	});
	const after = formOf(context);
	if (!after?.isTrying || !result) return;
	if (result.isSignedIn) {
		keyState.signInAnswers = {};
		show(context, undefined);
		return say(result.notice);
	}
	const stopped: SignInForm = { ...after, isTrying: false };
	if (signal.aborted) return show(context, stopped);
	const field = fieldToCorrect(result.fields) ?? after.field;
	const refusedSecret = signInFieldRows[field].isSecret ? field : undefined;
	const refusedCount = after.refusedCount + 1;
	const reason = `${result.message} ${result.advice}`.trim();
	const now = clock.now();
	const problem = signInAttemptText(reason, refusedCount, now, now);
	show(context, { ...stopped, field, refusedSecret, refusedCount, problem });
}

/** After a refused password that is the password: the e-mail address may be wrong as well, but a person can read it. */
const fieldToCorrect = (fields: readonly SignInField[]): SignInField | undefined =>
	fields.find(field => field === 'password') ?? fields[0];

/** Stops the sign-in under way, or closes the form and keeps what was typed, except secrets. */
export function leaveSignInForm(context: ActionContext) {
	const form = formOf(context);
	if (!form) return;
	if (form.isTrying) return context.keyState.signInTrial?.abort();
	context.keyState.signInAnswers = openAnswersIn(form);
	show(context, undefined);
}
