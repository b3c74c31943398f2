import {
	checkedAnswer,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
	subjectOf,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import { fieldsOf, type SignInForm, signsInHere } from '../look/screen.ts';
import { type Edit, type TypedLine, typedLineFrom, withEdit } from '../look/typed-line.ts';
import { signInAttemptText } from '../phrases/words.ts';
import type { ActionContext } from '../scene.ts';

/** Opens the form with what was typed before, except secrets. Returns false if no account can be added here. */
export function openSignInForm(context: ActionContext): boolean {
	const { tableAccounts, keyState } = context;
	if (!tableAccounts) return false;
	const profile = tableAccounts.newProfileName();
	const answers: Partial<SignInAnswers> = { way: 'password', profile, ...keyState.signInAnswers };
	show(context, {
		field: 'url',
		stayingNames: tableAccounts.stayingNames(),
		lines: inEachField(field => typedLineFrom(answers[field] ?? '')),
		isTrying: false,
		refusedCount: 0,
	});
	return true;
}

const inEachField = <T>(valueIn: (field: SignInField) => T) =>
	Object.fromEntries(signInFields.map(field => [field, valueIn(field)])) as Record<SignInField, T>;

function show({ screenStore }: ActionContext, form: SignInForm | undefined) {
	screenStore.setState({ open: form && { kind: 'signIn', form } });
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

export function editSignInForm(context: ActionContext, edit: Edit) {
	const form = editableForm(context);
	if (!form) return;
	const { field, lines, refusedSecret } = form;
	if (field === 'way' && edit.type !== 'insert' && edit.type !== 'move') return;
	const isRefused = refusedSecret === field;
	const line =
		field === 'way'
			? wayAfter(lines.way, 'text' in edit ? edit.text : '')
			: withEdit('text' in edit && isRefused ? typedLineFrom('') : lines[field], edit);
	show(context, {
		...form,
		lines: { ...lines, [field]: line },
		refusedSecret: isRefused ? undefined : refusedSecret,
		problem: undefined,
		note: undefined,
	});
}

/** A key other than the first letter of a way chooses the other way. */
function wayAfter(way: TypedLine, typed: string): TypedLine {
	const named = ['password', 'token'].find(each => each[0] === typed.toLowerCase());
	return typedLineFrom(named ?? (way.text === 'password' ? 'token' : 'password'));
}

function checked(form: SignInForm, field: SignInField): SignInForm {
	const { value, problem, note } = checkedAnswer(field, form.lines[field].text);
	if (value === undefined) return { ...form, problem: `${subjectOf(field)} ${problem}.` };
	return { ...form, lines: { ...form.lines, [field]: typedLineFrom(value) }, note };
}

function fieldBeside(form: SignInForm, steps: 1 | -1): SignInField | undefined {
	const fields = fieldsOf(form);
	return fields[fields.indexOf(form.field) + steps];
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
	const answers = inEachField(field => form.lines[field].text);
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
	// After a refused password that is the password: the e-mail address may be wrong as well, but a person can read it.
	const { fields } = result;
	const field = fields.find(each => each === 'password') ?? fields[0] ?? after.field;
	const refusedSecret = signInFieldRows[field].isSecret ? field : undefined;
	const refusedCount = after.refusedCount + 1;
	const reason = `${result.message} ${result.advice}`.trim();
	const now = clock.now();
	const problem = signInAttemptText(reason, refusedCount, now, now);
	show(context, { ...stopped, field, refusedSecret, refusedCount, problem });
}

/** Stops the sign-in under way, or closes the form and keeps what was typed, except secrets. */
export function leaveSignInForm(context: ActionContext) {
	const { keyState } = context;
	const form = formOf(context);
	if (!form) return;
	if (form.isTrying) return keyState.signInTrial?.abort();
	const open = signInFields.filter(field => !signInFieldRows[field].isSecret);
	keyState.signInAnswers = Object.fromEntries(open.map(field => [field, form.lines[field].text]));
	show(context, undefined);
}
