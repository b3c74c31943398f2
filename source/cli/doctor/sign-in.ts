import type { AccountSettings } from '../../accounts/account-settings.ts';
import { createTokenCache } from '../../accounts/token-cache.ts';
import type { TokenCache } from '../../fleet/access-token.ts';
import type { Failure } from '../../fleet/failure.ts';
import { loginRefusalFrom } from '../login/refusal.ts';
import { type Check, maskedEmail } from './check.ts';

const about = 'Sign-in';

/** How the sign-in ended, from how the first read did. */
export function signInCheck(
	{ credentials, baseUrl: url }: AccountSettings,
	isSignedIn: boolean,
	failure: Failure | undefined,
): Check {
	if (credentials.kind === 'token') {
		if (failure?.kind !== 'auth') return { about, state: 'right', said: 'by a token' };
		const advice = 'Put a new one into CROWSNEST_TOKEN: one that was given cannot be renewed here.';
		return { about, state: 'wrong', said: 'the platform does not accept the token', advice };
	}
	if (isSignedIn) {
		return { about, state: 'right', said: `as ${maskedEmail(credentials.email)}` };
	}
	if (failure === undefined || failure.kind === 'cancelled') {
		return { about, state: 'skipped', said: 'it did not come to it' };
	}
	const { message, advice } = loginRefusalFrom(failure, 'identity', {
		url,
		authUrl: credentials.authUrl,
	});
	return { about, state: 'wrong', said: message, advice };
}

/** A kept token tells nothing about a password that comes by itself, so then it is not used. */
export function tokensFor(
	account: AccountSettings,
	onTrouble: (message: string) => void,
): TokenCache {
	const { credentials } = account;
	const cache = createTokenCache(account, onTrouble);
	const isByItself =
		credentials.kind === 'password' && (credentials.password || credentials.passwordCommand);
	return isByItself ? { ...cache, load: () => undefined } : cache;
}
