import {
	fieldsOfWay,
	type SignInAnswers,
	type SignInField,
	type SignInWay,
	signInFieldRows,
	signInFields,
} from '../../accounts/sign-in-fields.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	type HistorySearch,
	type HistoryWalk,
	type TypedLine,
	typedLineFrom,
} from './typed-line.ts';
import type { Filters, View } from './view-table.ts';

/**
 * Where the line comes from, if the person did not type it letter by letter: from the history or a completion, for
 * example. The next edit clears this.
 */
export type LineAssist =
	| HistoryWalk
	| HistorySearch
	| { readonly kind: 'completion'; readonly base: TypedLine; readonly index: number }
	| { readonly kind: 'rows'; readonly steps: number };

/** The input of a person into the open dialog so far. */
export type DialogEntry = {
	/** The dialog that the entry belongs to. For any other dialog, the entry counts as empty. */
	readonly id: object | string;
	/** The typed line. For a password it holds a dot for each letter, never the letters. */
	readonly line: TypedLine;
	readonly answers: readonly string[];
	readonly problem?: string | undefined;
	readonly assist?: LineAssist | undefined;
};

/** Returns the entry of the dialog with this id. The entry is empty if the latest entry belongs to another dialog. */
export function dialogEntryFor(
	latest: DialogEntry | undefined,
	id: object | string,
	initialText = '',
): DialogEntry {
	return latest?.id === id ? latest : { id, line: typedLineFrom(initialText), answers: [] };
}

/** Returns the entry of the filter field. A filter that is applied already is followed by a space, for another word. */
export const filterEntryFor = (latest: DialogEntry | undefined, filter: string): DialogEntry =>
	dialogEntryFor(latest, 'filter', filter === '' ? '' : `${filter.trimEnd()} `);

/**
 * The table behind a question, as it was when a person asked: a question is about what it named when it opened, also when
 * the filter shows other rows meanwhile.
 */
export type TableWhenAsked = {
	readonly screen: { readonly view: View; readonly filters: Filters };
	readonly ids: readonly GlobalId[];
	/** The rows that were on screen although the filter hid them. */
	readonly keptIds: ReadonlySet<GlobalId>;
};

/** The dialog that the terminal shows, and the time at which it became visible to a person. */
export type SeenDialog = {
	readonly id: object | string;
	/** The step of the dialog that the terminal shows. */
	readonly step: number;
	readonly visibleSince: number;
	/** When a typed confirmation last ignored a key, because the person may not have read it. */
	readonly ignoredKeyAt?: number;
	/** Whether a typed confirmation takes letters, because there was a pause before the first one. */
	readonly takesLetters?: boolean;
	/** Whether the terminal is too small for the text that a person must read before answering. */
	readonly isCut?: boolean;
};

/**
 * The sign-in form. A secret is a dot for each letter here, so that its letters are never in the state of the screen.
 */
export type SignInForm = {
	field: SignInField;
	way: SignInWay;
	stayingNames: readonly string[];
	lines: Readonly<Record<SignInField, TypedLine>>;
	isTrying: boolean;
	/** The secret that was refused. It stays until the next letter, which replaces it, because another field may be wrong. */
	refusedSecret?: SignInField | undefined;
	refusedCount?: number;
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
