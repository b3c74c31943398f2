import { createHash } from 'node:crypto';

/** One sign-in at one base URL. */
export type AccountIdentity = { baseUrl: string; user: string };

/**
 * Names an account without saying whose it is. Everything that is kept between runs is kept under this
 * key. A profile's name is only a label: a profile can be edited, `login` reuses one, and the
 * environment has no name at all.
 */
export function accountKey({ baseUrl, user }: AccountIdentity): string {
	const address = new URL(baseUrl).href.replace(/\/+$/, '');
	const identity = JSON.stringify([address, user.trim().toLowerCase()]);
	return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
