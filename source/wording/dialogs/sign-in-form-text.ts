import { fieldsOfWay, type SignInField, signInFieldRows } from '../../accounts/sign-in-fields.ts';
import { drawFrame, type FramedBox } from '../../drawing/framed-box.ts';
import { fitToWidth, type Span, wrapText } from '../../drawing/span.ts';
import { promptWithInput } from '../../drawing/typed-line.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Theme } from '../../lines/theme.ts';
import { type SignInForm, signsInHere } from '../../screen/sign-in-form.ts';
import { dialogHints, keyHints, keyLine } from './key-line.ts';

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
// │ Enter continues · Esc closes · Tab goes to the next field          │
// ╰──────────────────────────────────────────────────────────────────╯

const maxFormWidth = 76;

/** Draws the sign-in form. On a short screen, it shows the fields around the one with the caret. */
export function signInFormLines(
	form: SignInForm,
	bindings: readonly Binding[],
	{ columns, rows }: { columns: number; rows: number },
	theme: Theme,
): FramedBox {
	const { field, way, problem, note, isTrying, stayingNames } = form;
	const width = Math.min(maxFormWidth, columns - 2);
	const inner = width - 4;
	const fields = fieldsOfWay(way);
	const wrapped = ([text, tone]: Span) =>
		wrapText(text, inner, theme).map((line): readonly Span[] => [[line, tone]]);
	const keys = keyLine(keysOf(form, bindings), inner, theme);
	const below = [
		...(note === undefined ? [] : wrapped([`${note}.`, 'accent'])),
		...wrapped(problem === undefined ? [signInFieldRows[field].hint, 'faint'] : [problem, 'bad']),
		isTrying ? [['Signing in … ', 'accent'] as const, ...keys] : keys,
	];
	const others = stayingNames.length === 0 ? [] : wrapped([stayingText(stayingNames), 'faint']);
	// Where there is no room for all fields, the title alone says that the account is another one.
	const above = rows - 2 - below.length - others.length >= fields.length ? others : [];
	const room = Math.max(1, Math.min(fields.length, rows - 2 - below.length - above.length));
	const at = fields.indexOf(field);
	const first = Math.max(0, Math.min(at - Math.floor(room / 2), fields.length - room));
	const shown = fields.slice(first, first + room).map(each => fieldLine(each, form, inner, theme));
	const title = stayingNames.length === 0 ? 'Sign in' : 'Sign in to another account';
	return drawFrame(title, [...above, ...shown, ...below], width, 'accent', theme);
}

/** Says what happens to the accounts that are signed in already. */
function stayingText(names: readonly string[]): string {
	if (names.length === 1) return `${names[0]} is signed in, and stays in the table.`;
	const subject = names.length === 2 ? names.join(' and ') : `${names.length} accounts`;
	return `${subject} are signed in, and stay in the table.`;
}

const labelWidth = Math.max(...Object.values(signInFieldRows).map(({ label }) => label.length));

function fieldLine(
	field: SignInField,
	form: SignInForm,
	width: number,
	theme: Theme,
): readonly Span[] {
	const { label, isSecret } = signInFieldRows[field];
	const line = form.lines[field];
	const isActive = field === form.field;
	const begin: readonly Span[] = [
		[isActive ? `${theme.glyphs.cursor} ` : '  ', 'accent'],
		[`${label.padEnd(labelWidth)}  `, isActive ? 'strong' : 'faint'],
	];
	const count = isSecret && line.text !== '' ? ` ${line.text.length} characters` : '';
	const room = width - count.length;
	const isTyped = isActive && !form.isTrying && field !== 'way';
	const left = isTyped
		? promptWithInput(begin, [line], room, theme)
		: [...begin, [line.text] as const];
	return [...fitToWidth(left, room, theme), [count, 'faint']];
}

function keysOf(form: SignInForm, bindings: readonly Binding[]) {
	if (form.isTrying) return keyHints(bindings, [['closeDialog', 'stops']]);
	return dialogHints(bindings, {
		answeredBy: 'typing',
		accept: signsInHere(form) ? 'signs in' : 'continues',
		refuse: 'closes',
		others: [
			['nextField', 'goes to the next field'],
			['previousField', 'goes to the previous field'],
		],
	});
}
