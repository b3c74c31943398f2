import { shortHash } from '../fleet/short-hash.ts';

/** One sign-in at one base URL. */
export type AccountIdentity = { baseUrl: string; user: string };

/**
 * Names an account without revealing it. Everything that is kept between runs is kept under this key and
 * not under the name of the profile: a profile can be edited or reused for another account, and an account
 * from the environment has no profile.
 */
export function accountKey({ baseUrl, user }: AccountIdentity): string {
	const address = new URL(baseUrl).href.replace(/\/+$/, '');
	return shortHash(JSON.stringify([address, user.trim().toLowerCase()]));
}
