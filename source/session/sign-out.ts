import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Operations } from '../operations/operations.ts';
import type { Platform } from '../platform/platform.ts';
import type { SharedWatch } from '../sharing/shared-watch.ts';
import type { Store } from '../store/store.ts';
import type { OwnWatch } from '../watch/watch.ts';

type SignOutOptions = {
	account: string;
	platform: Pick<Platform, 'signOut'>;
	ownWatch: Pick<OwnWatch, 'start' | 'stop'>;
	sharedWatch: Pick<SharedWatch, 'leave' | 'rejoin'> | undefined;
	passwordRequest: PasswordRequest;
	operations: Pick<Operations, 'cancel'>;
	store: Store;
	signal: AbortSignal;
};

/**
 * Lets a person sign out of an account whose rows stay in the table:
 *
 * ```
 *   shared watch ── signOut ──▶ apart from the other processes ── sign-in, and a list is read ──▶ shared watch
 *                 the token is deleted, reads fail
 * ```
 *
 * A signed-out process does not follow another one, or its rows would stay up to date.
 */
export function createSignOut(options: SignOutOptions) {
	const { account, platform, ownWatch, sharedWatch, passwordRequest } = options;
	const { operations, store, signal } = options;
	let isSignedOut = false;
	let isSuspended = false;

	const stopListening = store.onFact(fact => {
		if (!isSignedOut || fact.type !== 'listRead' || fact.account !== account) return;
		isSignedOut = false;
		if (!isSuspended) sharedWatch?.rejoin();
	});
	signal.addEventListener('abort', stopListening);

	return {
		signOut() {
			operations.cancel({ account });
			isSignedOut = true;
			// A leader closes its listener before the token is gone, so that another process can go on at once.
			if (sharedWatch) sharedWatch.leave();
			else ownWatch.stop();
			platform.signOut();
			passwordRequest.cancel();
			if (!sharedWatch) ownWatch.start();
		},
		leave() {
			isSuspended = true;
			sharedWatch?.leave();
		},
		rejoin() {
			isSuspended = false;
			if (!isSignedOut) sharedWatch?.rejoin();
		},
	};
}
