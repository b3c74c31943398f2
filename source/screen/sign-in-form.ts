import {
	fieldsOfWay,
	type SignInAnswers,
	type SignInField,
	type SignInWay,
	signInFieldRows,
	signInFields,
} from '../accounts/sign-in-fields.ts';
import { type TypedLine, typedLineFrom } from './typed-line.ts';

/**
 * The sign-in form. A secret is a dot for each letter here, so that its letters are never in the state of the screen.
 */
export type SignInForm = {
	/** The field with the caret. */
	field: SignInField;
	way: SignInWay;
	/** The accounts that are signed in already, and stay in the table. */
	stayingNames: readonly string[];
	lines: Readonly<Record<SignInField, TypedLine>>;
	/** Whether the answers are being tried. */
	isTrying: boolean;
	/** The secret that was refused. It stays until the next letter, which replaces it, because another field may be wrong. */
	refusedSecret?: SignInField | undefined;
	/** How many times answers were refused. */
	refusedCount?: number;
	/** Why the answers were refused, and what to do about it. */
	problem?: string | undefined;
	/** A note about a correction of the answer, such as an ending that was added. */
	note?: string | undefined;
};

/** Opens the form with what a person typed before, except secrets. */
export function openSignInForm(
	typed: Partial<SignInAnswers>,
	stayingNames: readonly string[],
): SignInForm {
	const lines = Object.fromEntries(
		signInFields.map(field => [
			field,
			typedLineFrom(signInFieldRows[field].isSecret ? '' : (typed[field] ?? '')),
		]),
	) as Record<SignInField, TypedLine>;
	const way = typed.way === 'token' ? 'token' : 'password';
	const allLines = { ...lines, way: typedLineFrom(way) };
	return { field: 'url', way, stayingNames, lines: allLines, isTrying: false };
}

/** Returns the answers that are not secret, so that the next form can open with them. */
export function typedAnswers({ lines }: SignInForm): Partial<SignInAnswers> {
	return Object.fromEntries(
		signInFields
			.filter(field => !signInFieldRows[field].isSecret)
			.map(field => [field, lines[field].text]),
	);
}

/** Whether Enter in the field with the caret signs in: after a secret, only the name follows, which has one already. */
export const signsInHere = ({ field, way }: Pick<SignInForm, 'field' | 'way'>): boolean =>
	field === 'password' || field === 'token' || fieldsOfWay(way).at(-1) === field;

/** Returns the field after or before the one with the caret; undefined at the end of the form. */
export function adjacentFieldOf(
	{ field, way }: SignInForm,
	steps: 1 | -1,
): SignInField | undefined {
	const fields = fieldsOfWay(way);
	return fields[fields.indexOf(field) + steps];
}

export function withFieldLine(form: SignInForm, field: SignInField, line: TypedLine): SignInForm {
	return { ...form, lines: { ...form.lines, [field]: line } };
}

/**
 * Chooses a way to sign in: the way that begins with the typed letter, or, after any other key, the way that is not
 * chosen yet.
 */
export function withWayChosen(form: SignInForm, typed: string): SignInForm {
	const other = form.way === 'password' ? 'token' : 'password';
	const named = (['password', 'token'] as const).find(way => way[0] === typed.toLowerCase());
	const way = named ?? other;
	return { ...withFieldLine(form, 'way', typedLineFrom(way)), way };
}

/**
 * Chooses the field to correct after a refusal. After a refused password, that is the password: the e-mail address
 * may be wrong as well, but it is readable, so a typing error is seen.
 */
export const fieldToCorrect = (fields: readonly SignInField[]): SignInField | undefined =>
	fields.find(field => field === 'password') ?? fields[0];
