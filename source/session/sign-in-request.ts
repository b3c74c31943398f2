import { createPasswordRequest, type PasswordRequest } from '../accounts/password-request.ts';
import type { PasswordPrompt } from '../foundation/sign-in.ts';
import type { AccountSession } from './session.ts';

/** Creates a request for a password in the monitor. Its dialog opens by itself only while there is no fleet to show. */
export function createSignInRequest(
	account: Omit<PasswordPrompt, 'problem' | 'hasCommand'>,
	currentSession: () => Pick<AccountSession, 'account' | 'store'>,
	runPasswordCommand?: () => Promise<string>,
): PasswordRequest {
	const hasNothingToShow = () => {
		const { account, store } = currentSession();
		const state = store.getState().accounts.get(account);
		return !state || (state.computers.size === 0 && !state.reads.list?.answer);
	};
	return createPasswordRequest(account, hasNothingToShow, runPasswordCommand);
}

/** Reports the password as accepted when a sign-in succeeds. Returns a function that ends the subscription. */
export function acceptPasswordOnSignIn(
	request: PasswordRequest,
	{ store }: Pick<AccountSession, 'store'>,
): () => void {
	return store.onFact(fact => {
		if (fact.type === 'signedIn') request.reportAccepted();
	});
}
