import { shortHash } from '../fleet/short-hash.ts';

/** An account is one user at one base URL. */
export type AccountIdentity = { baseUrl: string; user: string };

/**
 * Returns a key that names an account without revealing it. Everything that outlives the program is stored
 * under this key instead of the profile's name: a profile can be edited or reused for another account, and an
 * account from the environment has no profile.
 */
export function accountKey({ baseUrl, user }: AccountIdentity): string {
	const address = new URL(baseUrl).href.replace(/\/+$/, '');
	return shortHash(JSON.stringify([address, user.trim().toLowerCase()]));
}
