import {
	checkedAnswer,
	type SignInAnswers,
	type SignInField,
	signInFieldRows,
	signInFields,
	subjectOf,
} from '../../accounts/sign-in-fields.ts';
import { messageOf } from '../../foundation/error.ts';
import { shellCommandFrom } from '../../foundation/shell-words.ts';
import { createFailure, PlatformError } from '../../platform/decoding/platform-error.ts';
import type { AccountSession } from '../../session/session.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/freshness.ts';
import type { AccountState } from '../../store/state.ts';
import { billingFailureText, billingRequestTexts, billingStartedText } from '../billing.ts';
import { rowUnderCursor } from '../look/cursor.ts';
import { fieldsOf, type SignInForm, signsInHere } from '../look/screen.ts';
import { type Edit, type TypedLine, typedLineFrom, withEdit } from '../look/typed-line.ts';
import { signInAttemptText } from '../phrases/words.ts';
import type { ActionContext } from '../scene.ts';
import { askToUnlock, isAnythingUnderWay } from './operations.ts';

function isSignedOut(state: AccountState, now: number): boolean {
	const cause = unreachableCauseOf(state, now);
	return cause !== undefined && isSignInFailure(cause);
}

export function signedOutSessions({ scene, sessions, clock }: ActionContext) {
	return scene()
		.accounts.filter(({ state }) => isSignedOut(state, clock.now()))
		.map(({ profile }) => sessions.sessionOf(profile.account));
}

const demoText = 'The demo needs no sign-in. Quit, then run `crowsnest login` for your own account';

/**
 * Asks for the passwords of the accounts that are signed out, one after another. If there are none, opens the form
 * for another account.
 */
export function openSignIn(context: ActionContext) {
	const { hasForms, leaveToSignIn, isDemo, say } = context;
	const signedOut = signedOutSessions(context);
	if (hasForms && signedOut.length === 0 && openSignInForm(context)) return;
	if (leaveToSignIn) return leaveToSignIn();
	const asking = signedOut.filter(({ passwordRequest }) => passwordRequest !== undefined);
	if (signedOut.length === 0) say(isDemo ? demoText : 'Already signed in');
	else if (asking.length === 0) say('This account has no password to type: run `crowsnest doctor`');
	for (const { passwordRequest, watch } of asking) {
		passwordRequest?.open();
		watch.retryAfterSignIn();
	}
}

const nameOf = ({ profile, baseUrl }: AccountSession) =>
	profile.name === 'environment' ? new URL(baseUrl).host : profile.name;

/** Without an account, asks about the one under the cursor. */
export const signOut = (account?: string) => (context: ActionContext) => {
	const { screenStore, sessions, isDemo, clock, key, say } = context;
	const scene = context.scene();
	const session = sessions.sessionOf(account ?? rowUnderCursor(scene)?.account);
	const { profile, passwordRequest, commandOptions } = session;
	if (isDemo && !passwordRequest) return say('The demo needs no sign-in');
	const name = nameOf(session);
	const state = scene.accounts.find(each => each.profile === profile)?.state;
	if (state && isSignedOut(state, clock.now())) return say(`Already signed out of ${name}`);
	if (!session.signOut)
		return say(`${name} signs in with a token. \`crowsnest logout\` deletes a stored token`);
	const { followers = 0, leader } = state?.sharedWatch ?? {};
	const isShared = followers > 0 || leader !== undefined;
	screenStore.setState({
		confirmation: {
			about: 'signOut',
			openingKey: key,
			account: { key: profile.account, name },
			equivalentCommand: shellCommandFrom(['crowsnest', 'logout', ...commandOptions]),
			present: isShared ? 'Other panes go on if they can sign in by themselves.' : undefined,
			onYes() {
				if (!sessions.all().includes(session)) return;
				session.signOut?.();
				say(`Signed out of ${name}`);
			},
		},
	});
};

/**
 * Adds the account of a profile to the table, or removes an account that is in the table. Asks first if the account has
 * operations under way.
 */
export const toggleAccount = (profile: string) => (context: ActionContext) => {
	const { screenStore, sessions, tableAccounts, key, say } = context;
	const sayLater = (notice: Promise<string> | undefined) =>
		void notice?.then(say, (error: unknown) => say(messageOf(error)));
	const session = sessions.all().find(each => each.profile.name === profile);
	if (!session) {
		say(`Opening ${profile} …`);
		return sayLater(tableAccounts?.add(profile));
	}
	const { account } = session;
	const onYes = () => sayLater(tableAccounts?.remove(profile));
	if (sessions.all().length === 1 || !isAnythingUnderWay(context, account)) return onYes();
	screenStore.setState({
		confirmation: {
			about: 'removeAccount',
			openingKey: key,
			account: { key: account, name: profile },
			onYes,
		},
	});
};

const commandNames = { pay: ['checkout'], billing: ['billing', 'setup'] } as const;

/** Asks whether to open a payment page or to start billing, for the account under the cursor or for the first one. */
export const askAboutMoney = (about: 'pay' | 'billing') => (context: ActionContext) => {
	const { screenStore, sessions, key, say } = context;
	const scene = context.scene();
	const session = sessions.sessionOf(rowUnderCursor(scene)?.account);
	const { account, profile, commandOptions } = session;
	if (profile.isReadOnly) return say('Read-only: nothing can be changed here');
	// Null if there is no subscription, undefined if that is not known.
	const { subscription } =
		scene.accounts.find(each => each.profile.account === account)?.state ?? {};
	if (about === 'billing' && subscription)
		return say(`Billing has started already: the plan is ${subscription.planName}`);
	if (sessions.operations.state().isLocked) return askToUnlock(context);
	const command = ['crowsnest', ...commandNames[about], ...commandOptions, '--yes'];
	const mayHaveStarted = about === 'billing' && subscription === undefined;
	screenStore.setState({
		confirmation: {
			about,
			openingKey: key,
			account: sessions.all().length > 1 ? { key: account, name: profile.name } : undefined,
			equivalentCommand: shellCommandFrom(command),
			present: mayHaveStarted
				? 'Billing may have started already: the plan is not read yet.'
				: undefined,
			onYes() {
				if (sessions.operations.state().isLocked) return;
				void (about === 'pay' ? pay(context, session) : startBilling(context, session));
			},
		},
	});
};

// No request for money is ever sent twice.

async function pay({ screenStore, clock }: ActionContext, { platform, signal }: AccountSession) {
	screenStore.setState({ payment: { state: 'opening' } });
	try {
		const { url } = await platform.openPayment({}, { signal, priority: 'operation' });
		screenStore.setState({ payment: { state: 'open', url, openedAt: clock.now() } });
	} catch (error) {
		screenStore.setState({ payment: { state: 'failed', failure: failureFrom(error) } });
	}
}

async function startBilling({ say }: ActionContext, { platform, watch, signal }: AccountSession) {
	say(`${billingRequestTexts.billing.doing} …`);
	try {
		const { message } = await platform.initializeBilling({ signal, priority: 'operation' });
		say(message ?? billingStartedText);
		watch.readNow();
	} catch (error) {
		const failure = failureFrom(error);
		const { message, advice } = billingFailureText('billing', failure);
		say(`${message}. ${advice}`);
		if (failure.isOutcomeUnknown) watch.readNow();
	}
}

function failureFrom(error: unknown) {
	return error instanceof PlatformError
		? error.failure
		: createFailure('server', 'unexpected error');
}

// The form in which a person signs in to another account

/** Opens the form with what was typed before, except secrets. Returns false if no account can be added here. */
function openSignInForm(context: ActionContext): boolean {
	const { tableAccounts, keyState } = context;
	if (!tableAccounts) return false;
	const profile = tableAccounts.newProfileName();
	const answers: Partial<SignInAnswers> = { way: 'password', profile, ...keyState.signInAnswers };
	show(context, {
		field: 'url',
		stayingNames: tableAccounts.stayingNames(),
		lines: inEachField(field => typedLineFrom(answers[field] ?? '')),
		isTrying: false,
		refusedCount: 0,
	});
	return true;
}

const inEachField = <T>(valueIn: (field: SignInField) => T) =>
	Object.fromEntries(signInFields.map(field => [field, valueIn(field)])) as Record<SignInField, T>;

function show({ screenStore }: ActionContext, form: SignInForm | undefined) {
	screenStore.setState({ open: form && { kind: 'signIn', form } });
}

function formOf({ scene }: ActionContext): SignInForm | undefined {
	const { open } = scene().screen;
	return open?.kind === 'signIn' ? open.form : undefined;
}

/** Returns the form unless it is signing in, which only Esc stops. */
function editableForm(context: ActionContext): SignInForm | undefined {
	const form = formOf(context);
	return form?.isTrying ? undefined : form;
}

export function editSignInForm(context: ActionContext, edit: Edit) {
	const form = editableForm(context);
	if (!form) return;
	const { field, lines, refusedSecret } = form;
	if (field === 'way' && edit.type !== 'insert' && edit.type !== 'move') return;
	const isRefused = refusedSecret === field;
	const line =
		field === 'way'
			? wayAfter(lines.way, 'text' in edit ? edit.text : '')
			: withEdit('text' in edit && isRefused ? typedLineFrom('') : lines[field], edit);
	show(context, {
		...form,
		lines: { ...lines, [field]: line },
		refusedSecret: isRefused ? undefined : refusedSecret,
		problem: undefined,
		note: undefined,
	});
}

/** A key other than the first letter of a way chooses the other way. */
function wayAfter(way: TypedLine, typed: string): TypedLine {
	const named = ['password', 'token'].find(each => each[0] === typed.toLowerCase());
	return typedLineFrom(named ?? (way.text === 'password' ? 'token' : 'password'));
}

function checked(form: SignInForm, field: SignInField): SignInForm {
	const { value, problem, note } = checkedAnswer(field, form.lines[field].text);
	if (value === undefined) return { ...form, problem: `${subjectOf(field)} ${problem}.` };
	return { ...form, lines: { ...form.lines, [field]: typedLineFrom(value) }, note };
}

function fieldBeside(form: SignInForm, steps: 1 | -1): SignInField | undefined {
	const fields = fieldsOf(form);
	return fields[fields.indexOf(form.field) + steps];
}

export const moveInForm = (steps: 1 | -1) => (context: ActionContext) => {
	const form = editableForm(context);
	if (!form) return;
	const left = { ...checked(form, form.field), problem: undefined };
	show(context, { ...left, field: fieldBeside(form, steps) ?? form.field });
};

/** Goes to the next field, or signs in from the secret and from the last field. An invalid answer is explained instead. */
export function submitSignInForm(context: ActionContext) {
	const form = editableForm(context);
	if (!form) return;
	let here = checked({ ...form, problem: undefined }, form.field);
	if (here.problem !== undefined) return show(context, here);
	const next = fieldBeside(here, 1);
	if (next && !signsInHere(here)) return show(context, { ...here, field: next });
	for (const field of fieldsOf(here)) {
		here = checked(here, field);
		if (here.problem !== undefined) return show(context, { ...here, field });
	}
	void signInWith(context, here);
}

async function signInWith(context: ActionContext, form: SignInForm) {
	const { tableAccounts, keyState, clock, say } = context;
	const answers = inEachField(field => form.lines[field].text);
	keyState.signInTrial = new AbortController();
	const { signal } = keyState.signInTrial;
	show(context, { ...form, isTrying: true });
	const result = await tableAccounts?.signIn(answers, signal).catch((error: unknown) => {
		return { isSignedIn: false, fields: [], message: messageOf(error), advice: '' } as const;
	});
	const after = formOf(context);
	if (!after?.isTrying || !result) return;
	if (result.isSignedIn) {
		keyState.signInAnswers = {};
		show(context, undefined);
		return say(result.notice);
	}
	const stopped: SignInForm = { ...after, isTrying: false };
	if (signal.aborted) return show(context, stopped);
	// After a refused password that is the password: the e-mail address may be wrong as well, but a person can read it.
	const { fields } = result;
	const field = fields.find(each => each === 'password') ?? fields[0] ?? after.field;
	const refusedSecret = signInFieldRows[field].isSecret ? field : undefined;
	const refusedCount = after.refusedCount + 1;
	const reason = `${result.message} ${result.advice}`.trim();
	const now = clock.now();
	const problem = signInAttemptText(reason, refusedCount, now, now);
	show(context, { ...stopped, field, refusedSecret, refusedCount, problem });
}

/** Stops the sign-in under way, or closes the form and keeps what was typed, except secrets. */
export function leaveSignInForm(context: ActionContext) {
	const { keyState } = context;
	const form = formOf(context);
	if (!form) return;
	if (form.isTrying) return keyState.signInTrial?.abort();
	const open = signInFields.filter(field => !signInFieldRows[field].isSecret);
	keyState.signInAnswers = Object.fromEntries(open.map(field => [field, form.lines[field].text]));
	show(context, undefined);
}
