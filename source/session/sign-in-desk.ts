import { createPasswordRequest, type PasswordRequest } from '../accounts/password-request.ts';
import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { AccountSession } from './session.ts';

/** Where the monitor asks for a password: by itself only while there is nothing to work with. */
export function createSignInDesk(
	about: Omit<PasswordPrompt, 'why' | 'hasCommand'>,
	currentSession: () => Pick<AccountSession, 'account' | 'store'>,
	command?: () => Promise<string>,
): PasswordRequest {
	const hasNothing = () => {
		const { account, store } = currentSession();
		const known = store.getState().accounts.get(account);
		return !known || (known.computers.size === 0 && !known.reads.list?.answer);
	};
	return createPasswordRequest(about, hasNothing, command);
}

/** Tells the desk when the password that it gave was good. */
export function tellDesk(
	desk: PasswordRequest,
	{ store }: Pick<AccountSession, 'store'>,
): () => void {
	return store.witness(fact => {
		if (fact.type === 'signedIn') desk.accepted();
	});
}
