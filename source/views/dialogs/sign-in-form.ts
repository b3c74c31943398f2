import { type SignInField, signInFieldRows } from '../../accounts/sign-in-fields.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import { fieldsOf, type SignInForm, signsInHere } from '../look/screen.ts';
import { maskedLine } from '../look/typed-line.ts';
import type { Scene } from '../scene.ts';
import { type Box, boxAround, innerWidthOf, keyHints, keyLine } from './dialog.ts';

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

/** A short screen shows the fields around the one with the caret. */
export function signInBox(form: SignInForm, { actions, layout }: Scene): Box {
	const { field, problem, note, isTrying, stayingNames } = form;
	const inner = innerWidthOf(layout);
	const fields = fieldsOf(form);
	const keys = keyLine(keysOf(form, actions), inner);
	const below = [
		...(note === undefined ? [] : wrap([[`${note}.`, 'accent']], inner)),
		...wrap(
			[problem === undefined ? [signInFieldRows[field].hint, 'faint'] : [problem, 'bad']],
			inner,
		),
		isTrying ? [['Signing in … ', 'accent'] as const, ...keys] : keys,
	];
	const room = layout.rows - 2 - below.length;
	const others = stayingNames.length > 0 ? wrap([[stayingText(stayingNames), 'faint']], inner) : [];
	// Where there is no room for all fields, the title alone says that the account is another one.
	const above = room - others.length >= fields.length ? others : [];
	const count = Math.max(1, Math.min(fields.length, room - above.length));
	const middle = fields.indexOf(field) - Math.floor(count / 2);
	const first = Math.max(0, Math.min(middle, fields.length - count));
	const shown = fields.slice(first, first + count).map(each => fieldLine(each, form, inner));
	const title = stayingNames.length === 0 ? 'Sign in' : 'Sign in to another account';
	return boxAround(title, [...above, ...shown, ...below], layout);
}

function stayingText(names: readonly string[]): string {
	if (names.length === 1) return `${names[0]} is signed in, and stays in the table.`;
	const subject = names.length === 2 ? names.join(' and ') : `${names.length} accounts`;
	return `${subject} are signed in, and stay in the table.`;
}

const labelWidth = Math.max(...Object.values(signInFieldRows).map(({ label }) => label.length));

function fieldLine(field: SignInField, form: SignInForm, width: number): readonly Span[] {
	const { label, isSecret } = signInFieldRows[field];
	const line = isSecret ? maskedLine(form.lines[field]) : form.lines[field];
	const isActive = field === form.field;
	const begin: readonly Span[] = [
		[isActive ? '❯ ' : '  ', 'accent'],
		[`${label.padEnd(labelWidth)}  `, isActive ? 'strong' : 'faint'],
	];
	const count = isSecret && line.text !== '' ? ` ${line.text.length} characters` : '';
	const room = width - count.length;
	const isTyped = isActive && !form.isTrying && field !== 'way';
	const left = isTyped ? typedLine(begin, line, room) : [...begin, [line.text] as const];
	return [...fitTo(left, room), [count, 'faint']];
}

function keysOf(form: SignInForm, actions: Scene['actions']) {
	if (form.isTrying) return keyHints(actions, [['closeDialog', 'stops']]);
	return keyHints(actions, [
		['submit', signsInHere(form) ? 'signs in' : 'continues'],
		['closeDialog', 'closes'],
		['nextField', 'goes to the next field'],
		['previousField', 'goes to the previous field'],
	]);
}
