import { fieldsOfWay, type SignInField, signInFieldRows } from '../../accounts/sign-in-fields.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import type { SignInForm } from '../look/screen.ts';
import { type DialogEntry, maskedLine, typedLineFrom } from '../look/typed-line.ts';
import type { Scene } from '../scene.ts';
import { type Box, innerWidthOf, keyHints, listBox } from './dialog.ts';
import type { DialogOf } from './dialog-table.ts';

// ╭ Sign in to another account ──────────────────────────────────────╮
// │ work is signed in, and stays in the table.                       │
// │   Base URL      https://api.example.com/v1                       │
// │   Sign in with  password                                         │
// │ ❯ Anon key      ••••••••••••▏                      12 characters │
// │ The public key that the web page sends as "apikey" when it signs │
// │ Enter continues · Esc closes · Tab goes to the next field        │
// ╰──────────────────────────────────────────────────────────────────╯

export function signInBox({ form, entry }: DialogOf<'signIn'>, { actions, layout }: Scene): Box {
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
export const signsInHere = ({ field, answers }: SignInForm) =>
	field === 'password' || field === 'token' || fieldsOfWay(answers.way).at(-1) === field;
