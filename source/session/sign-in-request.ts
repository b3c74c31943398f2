import type { PasswordPrompt } from '../accounts/password-request.ts';
import {
	createPasswordRequest,
	type PasswordRequest,
	type PasswordRequestOptions,
} from '../accounts/password-request.ts';
import type { AccountSession } from './session.ts';
import type { SessionTable } from './session-table.ts';

/** Its dialog opens by itself only while there is no fleet to show. */
export function createSignInRequest(
	account: Pick<PasswordPrompt, 'profile' | 'email' | 'host'>,
	currentSession: () => Pick<AccountSession, 'account' | 'store' | 'platform' | 'watch'>,
	options: Omit<PasswordRequestOptions, 'mayOpenByItself' | 'onTypedAhead'> = {},
): PasswordRequest {
	const hasNothingToShow = () => {
		const { account, store } = currentSession();
		const state = store.getState().accounts.get(account);
		return !state || (state.computers.size === 0 && !state.reads.list?.answer);
	};
	return createPasswordRequest(account, {
		...options,
		mayOpenByItself: hasNothingToShow,
		onTypedAhead() {
			const { platform, watch } = currentSession();
			platform.endSignInWait(true);
			watch.readNow();
		},
	});
}

/** An open dialog stays until a person answers it, so that typed letters never go to another account. */
export function joinPasswordRequests(sessions: Pick<SessionTable, 'all' | 'follow'>) {
	let shown: PasswordRequest | undefined;

	function openRequest(): PasswordRequest | undefined {
		const all = sessions.all();
		const isOpen =
			shown?.prompt() !== undefined && all.some(({ passwordRequest }) => passwordRequest === shown);
		if (!isOpen)
			shown = all.find(each => each.passwordRequest?.prompt() !== undefined)?.passwordRequest;
		return shown;
	}

	return {
		prompt: () => openRequest()?.prompt(),
		subscribe: (listener: () => void) =>
			sessions.follow(({ passwordRequest }) => passwordRequest?.subscribe(listener) ?? (() => {})),
		submit: (password: string) => openRequest()?.submit(password),
		runCommand: async () => openRequest()?.runCommand(),
		cancel: () => openRequest()?.cancel(),
	};
}
