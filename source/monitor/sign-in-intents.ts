import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { isSignedOut, silentTrouble } from '../store/age.ts';
import { emptyAccount } from '../store/state.ts';
import type { PasswordIntents } from './password-intents.ts';

type SignInIntentDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'account' | 'store' | 'watch'>;
	passwords: PasswordIntents;
	/** Leaves the screen for it; absent where nobody is greeted. */
	signIn: (() => void) | undefined;
	clock: Clock;
	say: (notice: string) => void;
};

/** Opens the sign-in, because a person wants it. */
export function createSignInIntents(parts: SignInIntentDeps) {
	const { screens, session, passwords, clock, say } = parts;

	function isOut(): boolean {
		const account = session.store.getState().accounts.get(session.account) ?? emptyAccount;
		const trouble = silentTrouble(account, clock.now());
		return trouble !== undefined && isSignedOut(trouble);
	}

	return {
		isOut,
		open() {
			if (screens.getState().isWelcoming) {
				screens.setState({ isWelcoming: false });
				parts.signIn?.();
			} else if (!isOut()) {
				say('You are signed in');
			} else if (passwords.open()) {
				// The reads that it is for wait for what is typed.
				session.watch.renew();
			} else {
				say('No password is typed here: see `crowsnest doctor`');
			}
		},
	};
}
