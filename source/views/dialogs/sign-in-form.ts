import { type SignInField, signInFieldRows } from '../../accounts/sign-in-fields.ts';
import { fitTo, type Span, wrap } from '../../lines/span.ts';
import { typedLine } from '../../lines/typed.ts';
import { fieldsOf, type SignInForm, signsInHere } from '../look/screen.ts';
import { maskedLine } from '../look/typed-line.ts';
import type { Scene } from '../scene.ts';
import { type Box, innerWidthOf, keyHints, listBox } from './dialog.ts';

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

export function signInBox(form: SignInForm, { actions, layout }: Scene): Box {
	const { field, problem, note, stayingNames } = form;
	const inner = innerWidthOf(layout);
	const fields = fieldsOf(form);
	const below = [
		...(note === undefined ? [] : wrap([[`${note}.`, 'accent']], inner)),
		...wrap(
			[problem === undefined ? [signInFieldRows[field].hint, 'faint'] : [problem, 'bad']],
			inner,
		),
	];
	const others = stayingNames.length > 0 ? wrap([[stayingText(stayingNames), 'faint']], inner) : [];
	const room = Math.max(1, layout.rows - 3 - below.length);
	return listBox(
		stayingNames.length === 0 ? 'Sign in' : 'Sign in to another account',
		{
			// Where there is no room for all fields, the title alone says that the account is another one.
			above: room - others.length >= fields.length ? others : [],
			items: fields,
			draw: each => fieldLine(each, form, inner),
			chosen: fields.indexOf(field),
			room,
			below,
			hints: hintsOf(form, actions),
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

function hintsOf(form: SignInForm, actions: Scene['actions']) {
	if (form.isTrying) return ['Signing in …', ...keyHints(actions, [['closeDialog', 'stops']])];
	return keyHints(actions, [
		['submit', signsInHere(form) ? 'signs in' : 'continues'],
		['closeDialog', 'closes'],
		['nextField', 'goes to the next field'],
		['previousField', 'goes to the previous field'],
	]);
}
