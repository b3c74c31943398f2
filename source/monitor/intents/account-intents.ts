import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../../accounts/password-request.ts';
import type { Clock } from '../../foundation/clock.ts';
import { shellCommandFrom } from '../../operations/question.ts';
import { failureOf, PlatformError } from '../../platform/decoding/platform-error.ts';
import type { Payment, Screen } from '../../screen/screen.ts';
import type { AccountSession } from '../../session/session.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/age.ts';
import { emptyAccount } from '../../store/state.ts';
import {
	billingFailureText,
	billingRequestTexts,
	billingStartedText,
} from '../../wording/phrases/billing-request-text.ts';

type SignInIntentDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'account' | 'store' | 'watch'>;
	passwordRequest: Pick<PasswordRequest, 'open'> | undefined;
	/** Leaves the demo for the sign-in to an account; undefined if the monitor shows an account. */
	leaveToSignIn: (() => void) | undefined;
	/** The notice of the demo, which says how to sign in; undefined if the monitor shows an account. */
	greeting: string | undefined;
	clock: Clock;
	say: (notice: string) => void;
};

/** Creates the handler of the key that opens the sign-in. */
export function createSignInIntents(deps: SignInIntentDeps) {
	const { screens, session, passwordRequest, leaveToSignIn, greeting, clock, say } = deps;

	function isSignedOut(): boolean {
		const account = session.store.getState().accounts.get(session.account) ?? emptyAccount;
		const cause = unreachableCauseOf(account, clock.now());
		return cause !== undefined && isSignInFailure(cause);
	}

	return {
		isOut: isSignedOut,
		open() {
			if (leaveToSignIn) {
				screens.setState({ isWelcomeOpen: false });
				leaveToSignIn();
			} else if (!isSignedOut()) {
				say(greeting ?? 'Already signed in');
			} else if (passwordRequest) {
				passwordRequest.open();
				// The watch repeats the failed reads after the sign-in.
				session.watch.retryAfterSignIn();
			} else {
				say('This account has no password to type: run `crowsnest doctor`');
			}
		},
	};
}

type PaymentIntentDeps = {
	screens: StoreApi<Screen>;
	session: AccountSession;
	clock: Clock;
	say: (notice: string) => void;
};

const commandNames = { pay: ['checkout'], billing: ['billing', 'setup'] } as const;

/** Starts billing and opens payment pages. Both ask for a confirmation, and neither is ever sent twice. */
export function createPaymentIntents({ screens, session, clock, say }: PaymentIntentDeps) {
	const { platform, operations, watch, isReadOnly } = session;
	const requestOptions = { signal: session.signal, priority: 'operation' } as const;

	const commandFor = (about: 'pay' | 'billing') =>
		shellCommandFrom(['crowsnest', ...commandNames[about], ...session.commandOptions, '--yes']);

	async function openPayment(): Promise<Payment> {
		try {
			const { url } = await platform.openPayment({}, requestOptions);
			return { state: 'open', url, openedAt: clock.now() };
		} catch (error) {
			return { state: 'failed', failure: failureFrom(error) };
		}
	}

	async function pay() {
		screens.setState({ payment: { state: 'opening' } });
		screens.setState({ payment: await openPayment() });
	}

	async function startBilling() {
		say(`${billingRequestTexts.billing.doing} …`);
		try {
			const { message } = await platform.initializeBilling(requestOptions);
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
		ask(about: 'pay' | 'billing', openingKey: string) {
			if (isReadOnly) return say('Read-only: nothing can be changed here');
			const confirmation = operations.state().isLocked
				? ({ about: 'unlock', openingKey } as const)
				: { about, openingKey, command: commandFor(about) };
			screens.setState({ confirmation });
		},
		onConfirmed(about: 'pay' | 'billing') {
			if (!operations.state().isLocked) void (about === 'pay' ? pay() : startBilling());
		},
	};
}

function failureFrom(error: unknown) {
	return error instanceof PlatformError ? error.failure : failureOf('server', 'unexpected error');
}
