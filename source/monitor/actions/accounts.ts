import { messageOf } from '../../foundation/error.ts';
import { shellCommandFrom } from '../../foundation/shell-words.ts';
import type { Span } from '../../lines/span.ts';
import { createFailure, PlatformError } from '../../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../../platform/platform.ts';
import type { AccountSession } from '../../session/session.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/freshness.ts';
import type { AccountState } from '../../store/state.ts';
import {
	type BillingRequest,
	billingFailureText,
	billingRequestTexts,
	billingStartedText,
} from '../../views/billing.ts';
import type { ActionContext } from '../../views/scene.ts';
import { accountUnderCursor } from './effects.ts';
import { askToUnlock, isAnythingUnderWay, isDemo, operationLines } from './operations.ts';
import { openSignInForm } from './sign-in.ts';

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

export function openSignIn(context: ActionContext) {
	const { hasForms, leaveToSignIn, sessions, say } = context;
	const signedOut = signedOutSessions(context);
	if (hasForms && signedOut.length === 0 && openSignInForm(context)) return;
	if (leaveToSignIn) return leaveToSignIn();
	const asking = signedOut.filter(({ passwordRequest }) => passwordRequest !== undefined);
	if (signedOut.length === 0) say(isDemo(sessions) ? demoText : 'Already signed in');
	else if (asking.length === 0) say('This account has no password to type: run `crowsnest doctor`');
	for (const { passwordRequest, watch } of asking) {
		passwordRequest?.open();
		watch.retryAfterSignIn();
	}
}

const nameOf = ({ profile, baseUrl }: AccountSession) =>
	profile.name === 'environment' ? new URL(baseUrl).host : profile.name;

export const signOut = (account?: string) => (context: ActionContext) => {
	const { screenStore, sessions, clock, key, say } = context;
	const scene = context.scene();
	const session = sessions.sessionOf(account ?? accountUnderCursor(scene));
	const { profile, passwordRequest, commandOptions } = session;
	if (isDemo(sessions) && !passwordRequest) return say('The demo needs no sign-in');
	const name = nameOf(session);
	const state = scene.accounts.find(each => each.profile === profile)?.state;
	if (state && isSignedOut(state, clock.now())) return say(`Already signed out of ${name}`);
	if (!session.signOut)
		return say(`${name} signs in with a token. \`crowsnest logout\` deletes a stored token`);
	const { followers = 0, leader } = state?.sharedWatch ?? {};
	const isShared = followers > 0 || leader !== undefined;
	screenStore.setState({
		confirmation: {
			title: `Sign out of ${name}?`,
			lines: ({ dropped, sent, unknown }) => [
				['Its stored token is removed. Its rows stay, but get no new data.'],
				[isShared ? 'Other panes go on if they can sign in by themselves.' : ''],
				...operationLines('Cancelled:', dropped),
				...operationLines('Continues; its outcome shows after the next sign-in:', [
					...sent,
					...unknown,
				]),
			],
			accept: 'signs out',
			refuse: 'stays signed in',
			openingKey: key,
			account: profile.account,
			equivalentCommand: shellCommandFrom(['crowsnest', 'logout', ...commandOptions]),
			onYes() {
				if (!sessions.all().includes(session)) return;
				session.signOut?.();
				say(`Signed out of ${name}`);
			},
		},
	});
};

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
			title: `Take ${profile} out of the table?`,
			lines: ({ dropped, sent, running, unknown }) => [
				...operationLines('Cancelled:', dropped),
				...operationLines('Continues, but its outcome is not shown here:', [...sent, ...running]),
				...operationLines('Outcome still unknown:', unknown),
			],
			accept: 'takes it out',
			openingKey: key,
			account,
			onYes,
		},
	});
};

export const askAboutMoney = (about: BillingRequest) => (context: ActionContext) => {
	const { screenStore, sessions, key, say } = context;
	const scene = context.scene();
	const session = sessions.sessionOf(accountUnderCursor(scene));
	const { account, profile, commandOptions } = session;
	if (profile.isReadOnly) return say('Read-only: nothing can be changed here');
	// Null if there is no subscription, undefined if that is not known.
	const { subscription } =
		scene.accounts.find(each => each.profile.account === account)?.state ?? {};
	if (about === 'billing' && subscription)
		return say(`Billing has started already: the plan is ${subscription.planName}`);
	if (sessions.operations.state().isLocked) return askToUnlock(context);
	const mayHaveStarted = about === 'billing' && subscription === undefined;
	const { title, lines, verbInHelp, command } = billingRequestTexts[about];
	const all = [
		mayHaveStarted ? 'Billing may have started already: the plan is not read yet.' : '',
		...lines,
		sessions.all().length > 1 ? `Account ${profile.name}` : '',
	];
	screenStore.setState({
		confirmation: {
			title,
			tone: 'accent',
			lines: () => all.map((line): Span => [line]),
			accept: verbInHelp,
			openingKey: key,
			equivalentCommand: shellCommandFrom(['crowsnest', ...command, ...commandOptions, '--yes']),
			onYes() {
				if (sessions.operations.state().isLocked) return;
				void untilLocked(context, session, about === 'pay' ? pay : startBilling);
			},
		},
	});
};

// No request for money is ever sent twice.

type RequestForMoney = (
	context: ActionContext,
	session: AccountSession,
	options: RequestOptions,
) => Promise<void>;

/** A request that still waits for the limits when the monitor locks is not sent. One that has left is waited for. */
async function untilLocked(
	context: ActionContext,
	session: AccountSession,
	send: RequestForMoney,
): Promise<void> {
	const { operations } = context.sessions;
	const lock = new AbortController();
	let isSent = false;
	const abortIfLocked = () => {
		if (!isSent && operations.state().isLocked) lock.abort();
	};
	const stop = operations.subscribe(abortIfLocked);
	await send(context, session, {
		signal: AbortSignal.any([session.signal, lock.signal]),
		priority: 'operation',
		onSent() {
			isSent = true;
		},
		onUnsent() {
			isSent = false;
			abortIfLocked();
		},
	});
	stop();
}

const pay: RequestForMoney = async ({ screenStore, clock }, { platform }, options) => {
	screenStore.setState({ payment: { state: 'opening' } });
	try {
		const { url } = await platform.openPayment(options);
		screenStore.setState({ payment: { state: 'open', url, openedAt: clock.now() } });
	} catch (error) {
		screenStore.setState({ payment: { state: 'failed', failure: failureFrom(error) } });
	}
};

const startBilling: RequestForMoney = async ({ say }, { platform, watch }, options) => {
	say(`${billingRequestTexts.billing.doing} …`);
	try {
		const { message } = await platform.initializeBilling(options);
		say(message ?? billingStartedText);
		watch.readNow();
	} catch (error) {
		const failure = failureFrom(error);
		const { message, advice } = billingFailureText('billing', failure);
		say(`${message}. ${advice}`);
		if (failure.isOutcomeUnknown) watch.readNow();
	}
};

function failureFrom(error: unknown) {
	return error instanceof PlatformError
		? error.failure
		: createFailure('server', 'unexpected error');
}
