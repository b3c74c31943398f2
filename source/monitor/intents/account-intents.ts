import { shellCommandFrom } from '../../operations/question.ts';
import { failureOf, PlatformError } from '../../platform/decoding/platform-error.ts';
import type { Payment } from '../../screen/screen.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/age.ts';
import {
	billingFailureText,
	billingRequestTexts,
	billingStartedText,
} from '../../wording/phrases/billing-request-text.ts';
import type { HandlerDeps } from './intent-handlers.ts';

/** Creates the handler of the key that opens the sign-in. */
export function createSignInIntents(deps: HandlerDeps) {
	const { screenStore, session, passwordRequest, leaveToSignIn, greeting, clock, accountNow, say } =
		deps;

	function isSignedOut(): boolean {
		const cause = unreachableCauseOf(accountNow(), clock.now());
		return cause !== undefined && isSignInFailure(cause);
	}

	return {
		isSignedOut,
		open() {
			if (leaveToSignIn) {
				screenStore.setState({ isWelcomeOpen: false });
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

const commandNames = { pay: ['checkout'], billing: ['billing', 'setup'] } as const;

/** Starts billing and opens payment pages. Both ask for a confirmation, and neither is ever sent twice. */
export function createPaymentIntents({ screenStore, session, clock, say }: HandlerDeps) {
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
		screenStore.setState({ payment: { state: 'opening' } });
		screenStore.setState({ payment: await openPayment() });
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
				: { about, openingKey, equivalentCommand: commandFor(about) };
			screenStore.setState({ confirmation });
		},
		onConfirmed(about: 'pay' | 'billing') {
			if (!operations.state().isLocked) void (about === 'pay' ? pay() : startBilling());
		},
	};
}

function failureFrom(error: unknown) {
	return error instanceof PlatformError ? error.failure : failureOf('server', 'unexpected error');
}
