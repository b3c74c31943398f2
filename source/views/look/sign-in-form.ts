import { fieldsOfWay, type SignInField } from '../../accounts/sign-in-fields.ts';
import type { TypedLine } from './typed-line.ts';

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

export const fieldsOf = ({ lines }: SignInForm) => fieldsOfWay(lines.way.text);

/** After a secret, only the name follows, which has one already. */
export const signsInHere = (form: SignInForm): boolean =>
	form.field === 'password' || form.field === 'token' || fieldsOf(form).at(-1) === form.field;
