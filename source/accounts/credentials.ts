import { createHash } from 'node:crypto';
import type { EnvironmentAccount } from './environment.ts';
import type { ProfileValues } from './setting-table.ts';
import type { PasswordCommand } from './setting-values.ts';

/** What is known of an account from all sources, secrets of the environment included. */
export type AccountValues = Pick<
	ProfileValues,
	'url' | 'authUrl' | 'anonKey' | 'email' | 'passwordCommand' | 'passwordTimeout'
> &
	EnvironmentAccount;

/** How the account proves who it is. Secrets are functions, so that nothing prints them. */
export type ConfiguredCredentials =
	| { kind: 'token'; token: () => string }
	| {
			kind: 'password';
			authUrl: string;
			anonKey: () => string;
			email: string;
			/** From the environment. */
			password?: () => string;
			passwordCommand?: PasswordCommand;
			/** Milliseconds that it may take. */
			passwordTimeout: number;
	  };

/** Milliseconds, where nothing else is said: a person may have to touch a key for it. */
export const passwordTimeout = 30_000;

export function credentialsFrom(values: AccountValues): ConfiguredCredentials {
	const { token, authUrl = '', anonKey = '', email = '', password, passwordCommand } = values;
	if (token) return { kind: 'token', token };
	return {
		kind: 'password',
		authUrl,
		anonKey: () => anonKey,
		email,
		...(password && { password }),
		...(passwordCommand && { passwordCommand }),
		passwordTimeout: values.passwordTimeout ?? passwordTimeout,
	};
}

/** Who spends the budget. A token that does not tell is its own user. */
export function userOf(credentials: ConfiguredCredentials): string {
	if (credentials.kind === 'password') return credentials.email;
	const token = credentials.token();
	const { email, sub } = claimsOf(token);
	if (typeof email === 'string' && email !== '') return email;
	if (typeof sub === 'string' && sub !== '') return sub;
	return createHash('sha256').update(token).digest('hex').slice(0, 16);
}

function claimsOf(token: string): { email?: unknown; sub?: unknown } {
	try {
		const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
		return { ...JSON.parse(claims) };
	} catch {
		return {};
	}
}
