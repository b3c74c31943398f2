import { isObject, jsonFrom } from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import type { PasswordCommand } from './setting-values.ts';
import { type accountSettings, accountVariables, type ProfileValues } from './settings.ts';

export type AccountValues = Pick<ProfileValues, keyof typeof accountSettings> & {
	password?: () => string;
	token?: () => string;
};

/** Secrets are functions, so that printing these values prints none. */
export type ConfiguredCredentials =
	| { kind: 'token'; token: () => string }
	| {
			kind: 'password';
			authUrl: string;
			anonKey: () => string;
			email: string;
			password?: () => string;
			/** Absent if a person typed it. */
			passwordOrigin?: string;
			passwordCommand?: PasswordCommand;
			passwordTimeout: number;
	  };

// Long enough for a person to touch a security key.
export const defaultPasswordTimeoutMs = 30_000;

export function credentialsFrom(values: AccountValues): ConfiguredCredentials {
	const { token, authUrl = '', anonKey = '', email = '', password, passwordCommand } = values;
	if (token) return { kind: 'token', token };
	return {
		kind: 'password',
		authUrl,
		anonKey: () => anonKey,
		email,
		password,
		passwordOrigin: password && accountVariables.password.name,
		passwordCommand,
		passwordTimeout: values.passwordTimeout ?? defaultPasswordTimeoutMs,
	};
}

/** A token that names no user counts as a user of its own. */
export function userOf(credentials: ConfiguredCredentials): string {
	if (credentials.kind === 'password') return credentials.email;
	const token = credentials.token();
	const { email, sub } = claimsOf(token);
	if (typeof email === 'string' && email !== '') return email;
	if (typeof sub === 'string' && sub !== '') return sub;
	return shortHash(token);
}

export function claimsOf(token: string): { email?: unknown; sub?: unknown; exp?: unknown } {
	const claims = jsonFrom(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
	return isObject(claims) ? claims : {};
}

/** What outlives the program is stored under this key, because a profile can be edited or reused for another account. */
export function accountKey({ baseUrl, user }: { baseUrl: string; user: string }): string {
	const address = new URL(baseUrl).href.replace(/\/+$/, '');
	return shortHash(JSON.stringify([address, user.trim().toLowerCase()]));
}
