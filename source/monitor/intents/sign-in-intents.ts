import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../../accounts/password-request.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Screen } from '../../screen/screen.ts';
import type { AccountSession } from '../../session/session.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/age.ts';
import { emptyAccount } from '../../store/state.ts';

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
