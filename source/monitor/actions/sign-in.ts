import {
	checkedAnswer,
	fieldsOfWay,
	labelInSentence,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import { signsInHere } from '../../views/dialogs/sign-in-form.ts';
import type { SignInForm } from '../../views/look/screen.ts';
import { type Edit, typedLineFrom } from '../../views/look/typed-line.ts';
import { signInAttemptText } from '../../views/phrases/words.ts';
import type { ActionContext } from '../../views/scene.ts';

/** Returns false if no account can be added here. */
export function openSignInForm(context: ActionContext): boolean {
	const { tableAccounts, keyState } = context;
	if (!tableAccounts) return false;
	const empty = Object.fromEntries(signInFields.map(field => [field, ''])) as SignInAnswers;
	const profile = tableAccounts.newProfileName();
	show(context, {
		field: 'url',
		answers: { ...empty, way: 'password', profile, ...keyState.signInAnswers },
		stayingNames: tableAccounts.stayingNames(),
		refusedCount: 0,
	});
	return true;
}

/** A secret cannot be read and corrected, so the first letter that is typed in its field replaces it. */
function show({ screenStore }: ActionContext, form: SignInForm, problem?: string) {
	const { field, answers } = form;
	const assist = signInFieldRows[field].isSecret && ({ kind: 'replaced' } as const);
	const entry = { id: 'signIn', line: typedLineFrom(answers[field]), answers: [], assist, problem };
	screenStore.setState({ open: { kind: 'signIn', form }, entry });
}

/** Undefined while it signs in, which only Esc stops. */
function formOf({ scene }: ActionContext): SignInForm | undefined {
	const { dialog } = scene();
	if (dialog?.kind !== 'signIn' || dialog.form.trial) return undefined;
	const { form, entry } = dialog;
	return { ...form, answers: { ...form.answers, [form.field]: entry.line.text } };
}

/** A key other than the first letter of a way chooses the other way. */
export function chooseWay(context: ActionContext, edit: Edit) {
	const form = formOf(context);
	if (!form || (edit.type !== 'insert' && edit.type !== 'move')) return;
	const letter = 'text' in edit ? edit.text.toLowerCase() : '';
	const named = ['password', 'token'].find(each => each[0] === letter);
	const way = named ?? (form.answers.way === 'password' ? 'token' : 'password');
	show(context, { ...form, answers: { ...form.answers, way } });
}

function checked(form: SignInForm, field = form.field): { form: SignInForm; problem?: string } {
	const { value, problem, note } = checkedAnswer(field, form.answers[field]);
	if (value === undefined)
		return { form: { ...form, field }, problem: `${labelInSentence(field)} ${problem}.` };
	return { form: { ...form, answers: { ...form.answers, [field]: value }, note } };
}

function fieldBeside({ field, answers }: SignInForm, steps: 1 | -1): SignInField | undefined {
	const fields = fieldsOfWay(answers.way);
	return fields[fields.indexOf(field) + steps];
}

export const moveInForm = (steps: 1 | -1) => (context: ActionContext) => {
	const typed = formOf(context);
	if (!typed) return;
	const { form } = checked(typed);
	show(context, { ...form, field: fieldBeside(form, steps) ?? form.field });
};

export function submitSignInForm(context: ActionContext) {
	const typed = formOf(context);
	if (!typed) return;
	const next = signsInHere(typed) ? undefined : fieldBeside(typed, 1);
	let { form, problem } = checked(typed);
	if (next && problem === undefined) return show(context, { ...form, field: next });
	for (const field of fieldsOfWay(form.answers.way))
		if (problem === undefined) ({ form, problem } = checked(form, field));
	if (problem === undefined) void signInWith(context, form);
	else show(context, form, problem);
}

async function signInWith(context: ActionContext, form: SignInForm) {
	const { tableAccounts, screenStore, keyState, clock, say } = context;
	const trial = new AbortController();
	show(context, { ...form, trial });
	const result = await tableAccounts?.signIn(form.answers, trial.signal).catch((error: unknown) => {
		return { isSignedIn: false, fields: [], message: messageOf(error), advice: '' } as const;
	});
	const { open } = screenStore.getState();
	if (open?.kind !== 'signIn' || open.form.trial !== trial || !result) return;
	if (result.isSignedIn) {
		keyState.signInAnswers = {};
		screenStore.setState({ open: undefined });
		return say(result.notice);
	}
	if (trial.signal.aborted) return show(context, form);
	// After a refused password that is the password: the e-mail address may be wrong as well, but a person can read it.
	const { fields } = result;
	const field = fields.find(each => each === 'password') ?? fields[0] ?? form.field;
	const refusedCount = form.refusedCount + 1;
	const reason = `${result.message} ${result.advice}`.trim();
	const now = clock.now();
	const problem = signInAttemptText(reason, refusedCount, now, now);
	show(context, { ...form, field, refusedCount }, problem);
}

export function leaveSignInForm(context: ActionContext) {
	const { screenStore, keyState, scene } = context;
	const form = formOf(context);
	const { open } = scene().screen;
	if (!form) return open?.kind === 'signIn' ? open.form.trial?.abort() : undefined;
	const readable = signInFields.filter(field => !signInFieldRows[field].isSecret);
	keyState.signInAnswers = Object.fromEntries(readable.map(field => [field, form.answers[field]]));
	screenStore.setState({ open: undefined });
}
