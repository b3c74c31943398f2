import type { AccountSettings } from '../../accounts/account-settings.ts';
import { createTokenCache } from '../../accounts/token-cache.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { TokenCache } from '../../foundation/sign-in.ts';
import { loginRefusalFrom } from '../../session/try-account.ts';
import { type Check, maskedEmail } from './check.ts';

const subject = 'Sign-in';

/** Reports whether the sign-in worked. The first read signs in, and `failure` is the failure of that read. */
export function signInCheck(
	{ credentials, baseUrl: url }: AccountSettings,
	isSignedIn: boolean,
	failure: Failure | undefined,
): Check {
	if (credentials.kind === 'token') {
		if (failure?.kind !== 'auth') return { subject, status: 'right', finding: 'with a token' };
		const advice = 'Set CROWSNEST_TOKEN to a new token, or run `crowsnest login --token`.';
		return { subject, status: 'wrong', finding: 'the platform refuses the token', advice };
	}
	if (isSignedIn) {
		return { subject, status: 'right', finding: `as ${maskedEmail(credentials.email)}` };
	}
	if (failure === undefined || failure.kind === 'cancelled') {
		return { subject, status: 'skipped', finding: 'no sign-in was needed' };
	}
	const { message, advice } = loginRefusalFrom(failure, 'identity', {
		url,
		authUrl: credentials.authUrl,
	});
	return { subject, status: 'wrong', finding: message, advice };
}

/** Returns a token cache that hides the stored token if a password is configured, so that the password is tested. */
export function tokenCacheFor(
	account: AccountSettings,
	onTrouble: (message: string) => void,
): TokenCache {
	const { credentials } = account;
	const cache = createTokenCache(account, onTrouble);
	const hasOwnPassword =
		credentials.kind === 'password' && (credentials.password || credentials.passwordCommand);
	return hasOwnPassword ? { ...cache, load: () => undefined } : cache;
}
