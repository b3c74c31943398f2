import {
	fieldsOfWay,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
	subjectOf,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import type { DialogAnswer } from '../../keys/binding.ts';
import {
	adjacentFieldOf,
	fieldToCorrect,
	openSignInForm,
	type SignInForm,
	signsInHere,
	typedAnswers,
	withFieldLine,
	withWayChosen,
} from '../../screen/sign-in-form.ts';
import { type Edit, type TypedLine, typedLineFrom, withEdit } from '../../screen/typed-line.ts';
import { signInAttemptText } from '../../views/phrases/sign-in-attempt.ts';
import type { HandlerDeps } from './intent-handlers.ts';

type SignInFormDeps = Pick<HandlerDeps, 'screenStore' | 'tableAccounts' | 'say' | 'clock'>;

/**
 * Creates the handlers of the sign-in form. The letters of secrets are only here; the state of the screen has dots.
 */
export function createSignInFormIntents({
	screenStore,
	tableAccounts,
	say,
	clock,
}: SignInFormDeps) {
	const secrets = new Map<SignInField, TypedLine>();
	let typed: Partial<SignInAnswers> = {};
	let trial: AbortController | undefined;

	const show = (signInForm: SignInForm | undefined) => screenStore.setState({ signInForm });
	const current = () => screenStore.getState().signInForm;
	const lineOfField = (form: SignInForm, field: SignInField): TypedLine =>
		signInFieldRows[field].isSecret ? (secrets.get(field) ?? typedLineFrom('')) : form.lines[field];

	function withText(form: SignInForm, field: SignInField, line: TypedLine): SignInForm {
		if (!signInFieldRows[field].isSecret) return withFieldLine(form, field, line);
		secrets.set(field, line);
		return withFieldLine(form, field, maskedLine(line));
	}

	/** Returns the form with the normalized answer of a field, or with the reason why the answer is invalid. */
	function checked(form: SignInForm, field: SignInField): SignInForm {
		const { check, isSecret } = signInFieldRows[field];
		const { value, problem, note } = check(lineOfField(form, field).text);
		if (value === undefined) return { ...form, problem: `${subjectOf(field)} ${problem}.` };
		// A secret is not normalized, because a person could not see the change behind the dots.
		return isSecret ? form : { ...withFieldLine(form, field, typedLineFrom(value)), note };
	}

	function moved(form: SignInForm, steps: 1 | -1): SignInForm {
		const { problem: _, ...left } = checked(form, form.field);
		return { ...left, field: adjacentFieldOf(form, steps) ?? form.field };
	}

	async function signIn(form: SignInForm) {
		const answers = Object.fromEntries(
			signInFields.map(field => {
				const { text } = lineOfField(form, field);
				return [field, signInFieldRows[field].check(text).value ?? text];
			}),
		) as SignInAnswers;
		trial = new AbortController();
		const { signal } = trial;
		show({ ...form, isTrying: true, problem: undefined });
		const result = await tableAccounts?.signIn(answers, signal).catch((error: unknown) => {
			return { isSignedIn: false, fields: [], message: messageOf(error), advice: '' } as const;
		});
		const after = current();
		if (!after?.isTrying || !result) return;
		if (result.isSignedIn) {
			forget();
			typed = {};
			show(undefined);
			return say(result.notice);
		}
		const stopped: SignInForm = { ...after, isTrying: false };
		if (signal.aborted) return show(stopped);
		const field = fieldToCorrect(result.fields) ?? after.field;
		const refusedSecret = signInFieldRows[field].isSecret ? field : undefined;
		const refusedCount = (after.refusedCount ?? 0) + 1;
		const reason = `${result.message} ${result.advice}`.trim();
		const now = clock.now();
		const problem = signInAttemptText(reason, refusedCount, now, now);
		show({ ...stopped, field, refusedSecret, refusedCount, problem });
	}

	/** Goes to the next field, or signs in from the secret and from the last field. An invalid answer is explained instead. */
	function submit(form: SignInForm) {
		const here = checked({ ...form, problem: undefined }, form.field);
		if (here.problem !== undefined) return show(here);
		const next = adjacentFieldOf(here, 1);
		if (next && !signsInHere(here)) return show({ ...here, field: next });
		for (const field of fieldsOfWay(here.way)) {
			const each = checked(here, field);
			if (each.problem !== undefined) return show({ ...each, field });
		}
		void signIn(here);
	}

	function forget() {
		secrets.clear();
		trial = undefined;
	}

	return {
		/** Opens the form with what was typed before. Returns false if no account can be added here. */
		open(): boolean {
			if (!tableAccounts) return false;
			const answers = { profile: tableAccounts.newProfileName(), ...typed };
			const signInForm = openSignInForm(answers, tableAccounts.stayingNames());
			screenStore.setState({ signInForm });
			return true;
		},
		edit(edit: Edit) {
			const form = current();
			if (!form || form.isTrying) return;
			const { field } = form;
			const isChoice = field === 'way';
			if (isChoice) {
				const text = 'text' in edit ? edit.text : '';
				if (edit.type === 'insert' || edit.type === 'move') show(withWayChosen(form, text));
				return;
			}
			const isTyped = edit.type === 'insert' || edit.type === 'paste';
			const isReplaced = isTyped && form.refusedSecret === field;
			const earlier = isReplaced ? typedLineFrom('') : lineOfField(form, field);
			const line = withEdit(earlier, oneLine(edit));
			const refusedSecret = form.refusedSecret === field ? undefined : form.refusedSecret;
			const next = { ...form, refusedSecret, problem: undefined, note: undefined };
			show(withText(next, field, line));
		},
		move(steps: 1 | -1) {
			const form = current();
			if (form && !form.isTrying) show(moved(form, steps));
		},
		answer(answer: DialogAnswer) {
			const form = current();
			if (!form) return;
			if (answer === 'submit' && !form.isTrying) submit(form);
			if (answer !== 'back') return;
			if (form.isTrying) return trial?.abort();
			typed = typedAnswers(form);
			forget();
			show(undefined);
		},
	};
}

/** Returns a paste that is safe to insert: its first line without control characters, so that it never submits. */
function oneLine(edit: Edit): Edit {
	if (edit.type !== 'paste') return edit;
	const [line = ''] = edit.text.trim().split(/[\r\n]/);
	return { ...edit, text: line.replace(/\p{Cc}/gu, '') };
}

/** Returns a line that has a dot for each letter. */
export function maskedLine({ text, caret }: TypedLine): TypedLine {
	const dotsFor = (letters: string) => '•'.repeat(Array.from(letters).length);
	return { text: dotsFor(text), caret: dotsFor(text.slice(0, caret)).length };
}
