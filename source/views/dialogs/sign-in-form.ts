import {
	checkedAnswer,
	fieldsOfWay,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
	subjectOf,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import type { SignInForm } from '../look/screen.ts';
import { type DialogEntry, type Edit, maskedLine, typedLineFrom } from '../look/typed-line.ts';
import { signInAttemptText } from '../phrases/words.ts';
import type { ActionContext, Scene } from '../scene.ts';
import { type Box, innerWidthOf, keyHints, listBox } from './dialog.ts';
import type { DialogOf } from './dialog-table.ts';

// ╭ Sign in to another account ──────────────────────────────────────╮
// │ work is signed in, and stays in the table.                       │
// │   Base URL      https://api.example.com/v1                       │
// │   Sign in with  password                                         │
// │   Identity URL  https://id.example.com                           │
// │ ❯ Anon key      ••••••••••••▏                      12 characters │
// │   E-mail                                                         │
// │   Password                                                       │
// │   Name          default                                          │
// │ The public key that the web page sends as "apikey" when it signs │
// │ Enter continues · Esc closes · Tab goes to the next field        │
// ╰──────────────────────────────────────────────────────────────────╯

type FormDialog = DialogOf<'signIn'>;

export function signInBox({ form, entry }: FormDialog, { actions, layout }: Scene): Box {
	const { field, trial, note, stayingNames } = form;
	const inner = innerWidthOf(layout);
	const fields = fieldsOfWay(form.answers.way);
	const { problem } = entry;
	const advice: Span =
		problem === undefined ? [signInFieldRows[field].hint, 'faint'] : [problem, 'bad'];
	const below = [...wrap([[note ? `${note}.` : '', 'accent']], inner), ...wrap([advice], inner)];
	const others = stayingNames.length > 0 ? wrap([[stayingText(stayingNames), 'faint']], inner) : [];
	const room = Math.max(1, layout.rows - 3 - below.length);
	return listBox(
		stayingNames.length === 0 ? 'Sign in' : 'Sign in to another account',
		{
			// Where there is no room for all fields, the title alone says that the account is another one.
			above: room - others.length >= fields.length ? others : [],
			items: fields,
			draw: each => fieldLine(each, form, entry, inner),
			chosen: fields.indexOf(field),
			room,
			below,
			hints: trial
				? ['Signing in …', ...keyHints(actions, [['closeDialog', 'stops']])]
				: keyHints(actions, [
						['submit', signsInHere(form) ? 'signs in' : 'continues'],
						['closeDialog', 'closes'],
						['nextField', 'goes to the next field'],
						['previousField', 'goes to the previous field'],
					]),
		},
		layout,
	);
}

function stayingText(names: readonly string[]): string {
	if (names.length === 1) return `${names[0]} is signed in, and stays in the table.`;
	const subject = names.length === 2 ? names.join(' and ') : `${names.length} accounts`;
	return `${subject} are signed in, and stay in the table.`;
}

const labelWidth = Math.max(...Object.values(signInFieldRows).map(({ label }) => label.length));

function fieldLine(
	field: SignInField,
	form: SignInForm,
	entry: DialogEntry,
	width: number,
): readonly Span[] {
	const { label, isSecret } = signInFieldRows[field];
	const isActive = field === form.field;
	const typed = isActive ? entry.line : typedLineFrom(form.answers[field]);
	const line = isSecret ? maskedLine(typed) : typed;
	const begin: readonly Span[] = [
		[isActive ? '❯ ' : '  ', 'accent'],
		[`${label.padEnd(labelWidth)}  `, isActive ? 'strong' : 'faint'],
	];
	const count = isSecret && line.text !== '' ? ` ${line.text.length} characters` : '';
	const room = width - count.length;
	const isTyped = isActive && !form.trial && field !== 'way';
	const left = isTyped ? typedLine(begin, line, room) : [...begin, [line.text] as const];
	return [...fitTo(left, room), [count, 'faint']];
}

/** After a secret, only the name follows, which has one already. */
const signsInHere = ({ field, answers }: SignInForm) =>
	field === 'password' || field === 'token' || fieldsOfWay(answers.way).at(-1) === field;

/** Opens the form with what was typed before, except secrets. Returns false if no account can be added here. */
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

/** Returns the open form with what is typed in its line, unless it is signing in, which only Esc stops. */
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

/** Goes to a field with its answer as it will be used, or explains what is wrong with the answer. */
function checked(form: SignInForm, field = form.field): { form: SignInForm; problem?: string } {
	const { value, problem, note } = checkedAnswer(field, form.answers[field]);
	if (value === undefined)
		return { form: { ...form, field }, problem: `${subjectOf(field)} ${problem}.` };
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

/** Goes to the next field, or signs in from the secret and from the last field. */
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

/** Stops the sign-in under way, or closes the form and keeps what was typed, except secrets. */
export function leaveSignInForm(context: ActionContext) {
	const { screenStore, keyState, scene } = context;
	const form = formOf(context);
	const { open } = scene().screen;
	if (!form) return open?.kind === 'signIn' ? open.form.trial?.abort() : undefined;
	const readable = signInFields.filter(field => !signInFieldRows[field].isSecret);
	keyState.signInAnswers = Object.fromEntries(readable.map(field => [field, form.answers[field]]));
	screenStore.setState({ open: undefined });
}
