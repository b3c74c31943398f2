import { shellCommandFrom } from '../../foundation/shell-words.ts';
import { createFailure, PlatformError } from '../../platform/decoding/platform-error.ts';
import type { Confirmation, Payment } from '../../screen/screen.ts';
import type { AccountSession } from '../../session/session.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/freshness.ts';
import type { AccountState } from '../../store/state.ts';
import {
	billingFailureText,
	billingRequestTexts,
	billingStartedText,
} from '../../views/phrases/billing-request.ts';
import type { HandlerDeps } from './intent-handlers.ts';
import type { createSignInFormIntents } from './sign-in-form-intents.ts';

function isSignedOut(state: AccountState, now: number): boolean {
	const cause = unreachableCauseOf(state, now);
	return cause !== undefined && isSignInFailure(cause);
}

const demoText = 'The demo needs no sign-in. Quit, then run `crowsnest login` for your own account';

/** Creates the handler of the key that opens the sign-in. */
export function createSignInIntents(
	deps: HandlerDeps,
	form: Pick<ReturnType<typeof createSignInFormIntents>, 'open'>,
) {
	const { sessions, hasForms, leaveToSignIn, greeting, clock, say } = deps;

	/** Returns the sessions of the accounts that are signed out. */
	function signedOutSessions() {
		return deps
			.accountsNow()
			.filter(({ state }) => isSignedOut(state, clock.now()))
			.map(({ profile }) => sessions.sessionOf(profile.account));
	}

	return {
		isSignedOut: () => signedOutSessions().length > 0,
		/**
		 * Asks for the passwords of the accounts that are signed out, one after another. If there are none, opens the form
		 * for another account.
		 */
		open() {
			if (hasForms && signedOutSessions().length === 0 && form.open()) return;
			if (leaveToSignIn) {
				leaveToSignIn();
				return;
			}
			const signedOut = signedOutSessions();
			const asking = signedOut.filter(({ passwordRequest }) => passwordRequest !== undefined);
			if (signedOut.length === 0) say(greeting === undefined ? 'Already signed in' : demoText);
			else if (asking.length === 0)
				say('This account has no password to type: run `crowsnest doctor`');
			for (const { passwordRequest, watch } of asking) {
				passwordRequest?.open();
				// The watch repeats the failed reads after the sign-in.
				watch.retryAfterSignIn();
			}
		},
	};
}

/** Creates the handlers that ask whether to sign out of an account, and then do so. */
export function createSignOutIntents(deps: HandlerDeps) {
	const { screenStore, sessions, greeting, clock, say } = deps;
	const otherPanes = { present: 'Other panes go on if they can sign in by themselves.' };

	const nameOf = ({ profile, baseUrl }: AccountSession) =>
		profile.name === 'environment' ? new URL(baseUrl).host : profile.name;

	return {
		ask(openingKey: string, account: string | undefined) {
			const session = sessions.sessionOf(account);
			const { profile, signOut, passwordRequest, commandOptions } = session;
			if (greeting !== undefined && !passwordRequest) return say('The demo needs no sign-in');
			const name = nameOf(session);
			const state = deps.accountsNow().find(each => each.profile === profile)?.state;
			if (state && isSignedOut(state, clock.now())) return say(`Already signed out of ${name}`);
			const { followers = 0, leader } = state?.sharedWatch ?? {};
			if (!signOut)
				return say(`${name} signs in with a token. \`crowsnest logout\` deletes a stored token`);
			screenStore.setState({
				confirmation: {
					about: 'signOut',
					openingKey,
					account: { key: profile.account, name },
					...((followers > 0 || leader !== undefined) && otherPanes),
					equivalentCommand: shellCommandFrom(['crowsnest', 'logout', ...commandOptions]),
				},
			});
		},
		signOut(account: Confirmation['account']) {
			const session = sessions.all().find(({ account: key }) => key === account?.key);
			if (!session) return;
			session.signOut?.();
			say(`Signed out of ${account?.name}`);
		},
	};
}

/** Creates the handlers that add accounts to the table and take them away. */
export function createTableAccountIntents(deps: HandlerDeps) {
	const { screenStore, sessions, operations, tableAccounts, say } = deps;

	function remove(profile: string) {
		void tableAccounts?.remove(profile).then(say, sayError);
	}

	const sayError = (error: unknown) => say(error instanceof Error ? error.message : String(error));

	return {
		remove,
		/**
		 * Adds the account of a profile to the table, or removes an account that is in the table. Asks first if the
		 * account has operations under way.
		 */
		toggle(profile: string, openingKey: string) {
			const session = sessions.all().find(each => each.profile.name === profile);
			if (!session) {
				say(`Opening ${profile} …`);
				void tableAccounts?.add(profile).then(say, sayError);
				return;
			}
			const { account: key } = session;
			const { sent, running, unknown, dropped } = operations.exitSummary(key);
			const isOnly = sessions.all().length === 1;
			const underWay = [...sent, ...running, ...unknown, ...dropped];
			if (isOnly || underWay.length === 0) remove(profile);
			else
				screenStore.setState({
					confirmation: { about: 'removeAccount', openingKey, account: { key, name: profile } },
				});
		},
	};
}

const commandNames = { pay: ['checkout'], billing: ['billing', 'setup'] } as const;

/** Starts billing and opens payment pages. Both requests need a confirmation, and neither is ever sent twice. */
export function createPaymentIntents(deps: HandlerDeps) {
	const { screenStore, sessions, operations, clock, say } = deps;
	// The account that the open confirmation is about.
	let session: AccountSession = sessions.sessionOf(undefined);
	const requestOptions = () => ({ signal: session.signal, priority: 'operation' }) as const;

	const commandFor = (about: 'pay' | 'billing') =>
		shellCommandFrom(['crowsnest', ...commandNames[about], ...session.commandOptions, '--yes']);

	/** Returns the subscription of an account: null if there is none, undefined if that is not known. */
	const subscriptionOf = (account: string) =>
		deps.accountsNow().find(({ profile }) => profile.account === account)?.state.subscription;

	async function openPayment({ platform }: AccountSession): Promise<Payment> {
		try {
			const { url } = await platform.openPayment({}, requestOptions());
			return { state: 'open', url, openedAt: clock.now() };
		} catch (error) {
			return { state: 'failed', failure: failureFrom(error) };
		}
	}

	async function pay() {
		screenStore.setState({ payment: { state: 'opening' } });
		screenStore.setState({ payment: await openPayment(session) });
	}

	async function startBilling({ platform, watch }: AccountSession) {
		say(`${billingRequestTexts.billing.doing} …`);
		try {
			const { message } = await platform.initializeBilling(requestOptions());
			say(message ?? billingStartedText);
			watch.readNow();
		} catch (error) {
			const failure = failureFrom(error);
			const { message, advice } = billingFailureText('billing', failure);
			say(`${message}. ${advice}`);
			if (failure.isOutcomeUnknown) watch.readNow();
		}
	}

	return {
		/** Asks about the account under the cursor, or about the first account. */
		ask(about: 'pay' | 'billing', openingKey: string, account: string | undefined) {
			session = sessions.sessionOf(account);
			if (session.profile.isReadOnly) return say('Read-only: nothing can be changed here');
			const subscription = subscriptionOf(session.account);
			if (about === 'billing' && subscription)
				return say(`Billing has started already: the plan is ${subscription.planName}`);
			const isUnread = about === 'billing' && subscription === undefined;
			const present = 'Billing may have started already: the plan is not read yet.';
			const confirmation = operations.state().isLocked
				? ({ about: 'unlock', openingKey } as const)
				: {
						about,
						openingKey,
						equivalentCommand: commandFor(about),
						...(isUnread && { present }),
						...(sessions.all().length > 1 && {
							account: { key: session.account, name: session.profile.name },
						}),
					};
			screenStore.setState({ confirmation });
		},
		onConfirmed(about: 'pay' | 'billing') {
			if (!operations.state().isLocked) void (about === 'pay' ? pay() : startBilling(session));
		},
	};
}

function failureFrom(error: unknown) {
	return error instanceof PlatformError
		? error.failure
		: createFailure('server', 'unexpected error');
}
