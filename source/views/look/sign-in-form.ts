import {
	fieldsOfWay,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
	subjectOf,
} from '../../accounts/sign-in-fields.ts';
import { type TypedLine, typedLineFrom } from './typed-line.ts';

export type SignInForm = {
	field: SignInField;
	stayingNames: readonly string[];
	lines: Readonly<Record<SignInField, TypedLine>>;
	isTrying: boolean;
	/** The secret that was refused. It stays until the next letter, which replaces it, because another field may be wrong. */
	refusedSecret?: SignInField | undefined;
	refusedCount: number;
	problem?: string | undefined;
	/** A note about a correction of the answer, such as an ending that was added. */
	note?: string | undefined;
};

export function openSignInForm(
	typed: Partial<SignInAnswers>,
	stayingNames: readonly string[],
): SignInForm {
	const answers = { way: 'password', ...typed };
	const lines = Object.fromEntries(
		signInFields.map(field => [field, typedLineFrom(answers[field] ?? '')]),
	) as Record<SignInField, TypedLine>;
	return { field: 'url', stayingNames, lines, isTrying: false, refusedCount: 0 };
}

export const fieldsOf = ({ lines }: SignInForm) => fieldsOfWay(lines.way.text);

export const openAnswersIn = ({ lines }: SignInForm): Partial<SignInAnswers> =>
	Object.fromEntries(
		signInFields
			.filter(field => !signInFieldRows[field].isSecret)
			.map(field => [field, lines[field].text]),
	);

/** After a secret, only the name follows, which has one already. */
export const signsInHere = (form: SignInForm): boolean =>
	form.field === 'password' || form.field === 'token' || fieldsOf(form).at(-1) === form.field;

export function fieldBeside(form: SignInForm, steps: 1 | -1): SignInField | undefined {
	const fields = fieldsOf(form);
	return fields[fields.indexOf(form.field) + steps];
}

export function withLine(form: SignInForm, field: SignInField, line: TypedLine): SignInForm {
	const isRefused = form.refusedSecret === field;
	return {
		...form,
		lines: { ...form.lines, [field]: line },
		refusedSecret: isRefused ? undefined : form.refusedSecret,
		problem: undefined,
		note: undefined,
	};
}

/** A key other than the first letter of a way chooses the other way. */
export function withWayTyped(form: SignInForm, typed: string): SignInForm {
	const named = ['password', 'token'].find(way => way[0] === typed.toLowerCase());
	const other = form.lines.way.text === 'password' ? 'token' : 'password';
	return withLine(form, 'way', typedLineFrom(named ?? other));
}

export function checked(form: SignInForm, field: SignInField): SignInForm {
	const { value, problem, note } = signInFieldRows[field].check(form.lines[field].text);
	if (value === undefined) return { ...form, problem: `${subjectOf(field)} ${problem}.` };
	return { ...form, lines: { ...form.lines, [field]: typedLineFrom(value) }, note };
}
