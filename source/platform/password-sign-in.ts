import type { AccessToken } from '../fleet/access-token.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Failure } from '../fleet/failure.ts';
import { byteBounds } from './body.ts';
import { numberFrom, timeFrom } from './decode.ts';
import { unwrapped } from './decode-envelope.ts';
import { failureFrom } from './decode-failure.ts';
import { fieldsFrom, isObject } from './fields.ts';
import type { Http, HttpResponse } from './http.ts';
import { advice, PlatformError, unreadable } from './platform-error.ts';

/** An account that gets its tokens for a password. The password is asked for when needed, and not kept. */
export type PasswordCredentials = {
	kind: 'password';
	authUrl: string;
	anonKey: string;
	email: string;
	/** `refused` says why the last password was refused, so that another one is returned. */
	password: (signal: AbortSignal, refused?: Failure) => Promise<string>;
};

/**
 * Gets a token for the account's password. After a refusal it asks for another password, and it never sends
 * the same one twice in a row.
 */
export function createPasswordSignIn(options: {
	exchange: Http;
	clock: Clock;
	/** Aborted when the program ends. */
	closing: AbortSignal;
	/** Removes secrets from what the provider returns. */
	redact: (text: string) => string;
}): (credentials: PasswordCredentials) => Promise<AccessToken> {
	const { exchange, clock, closing, redact } = options;
	/** Why the last password was refused; absent if the provider did not decide. */
	let refusal: Failure | undefined;
	/** The last sign-in was refused with a 401 that may not be about the password. */
	let isDoubtful = false;

	const send = ({ authUrl, anonKey, email }: PasswordCredentials, password: string) =>
		exchange({
			method: 'POST',
			url: `${authUrl.replace(/\/+$/, '')}/auth/v1/token?grant_type=password`,
			headers: { apikey: anonKey },
			body: { email, password },
			signal: closing,
			mostBytes: byteBounds.token,
		});

	function failureIn(response: HttpResponse): Failure {
		const failure = signInFailureFrom(failureFrom({ ...response, now: clock.now() }));
		return { ...failure, message: redact(failure.message) };
	}

	return async credentials => {
		for (let refused: string | undefined; ; ) {
			const password = await credentials.password(closing, refusal).catch(error => {
				// If there is no other password, the reason for the refusal is the more useful message.
				throw refused !== undefined && refusal ? new PlatformError(refusal) : error;
			});
			if (refusal && password === refused) throw new PlatformError(refusal);
			refusal = undefined;
			const response = await send(credentials, password);
			if (response.status >= 200 && response.status < 300) {
				isDoubtful = false;
				return tokenFrom(response.json, clock.now());
			}
			const failure = failureIn(response);
			if (failure.kind !== 'auth') throw new PlatformError(failure);
			isDoubtful = !isDoubtful && response.status === 401 && !blamesPassword(failure);
			if (isDoubtful) throw new PlatformError(failure);
			refusal = failure;
			refused = password;
		}
	};
}

// A proxy responds with 401 too, and so does a provider with troubles of its own. Neither means that the
// password is wrong.
function blamesPassword({ code, message }: Failure): boolean {
	return /grant|credential|password|login/i.test(`${code ?? ''} ${message}`);
}

// The identity provider refuses a wrong password with 400, which elsewhere means a malformed request.
function signInFailureFrom(failure: Failure): Failure {
	const isRefusal = failure.kind === 'invalid' || failure.kind === 'denied';
	return isRefusal ? { ...failure, kind: 'auth', advice: advice.auth } : failure;
}

export function tokenFrom(body: unknown, now: number): AccessToken {
	const { value, path } = unwrapped(body);
	const fields = fieldsFrom(value, path);
	const accessToken = fields.get('accesstoken');
	// Reject line breaks: they would inject a second header.
	if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(accessToken)) {
		throw unreadable('access_token', 'a token');
	}
	const seconds = numberFrom(fields.get('expiresin'));
	const endsAt =
		typeof seconds === 'number' && seconds > 0
			? now + seconds * 1000
			: (timeFrom(fields.get('expiresat')) ?? endOf(accessToken));
	return { accessToken, ...(endsAt && { endsAt }) };
}

/** The `exp` claim of a JSON Web Token. */
function endOf(token: string): number | undefined {
	try {
		const claims: unknown = JSON.parse(
			Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
		);
		return isObject(claims) ? (timeFrom(claims['exp']) ?? undefined) : undefined;
	} catch {
		return undefined;
	}
}
