import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { AccessToken } from '../foundation/sign-in.ts';
import { responseLimits } from './decoding/body.ts';
import { numberFrom, timeFrom, unwrapEnvelope } from './decoding/decode.ts';
import { failureFrom } from './decoding/decode-failure.ts';
import { fieldsFrom, isObject } from './decoding/fields.ts';
import { adviceByKind, PlatformError, unreadableError } from './decoding/platform-error.ts';
import type { HttpResponse, SendHttp } from './http.ts';

/**
 * The credentials of an account with a password. Every sign-in requests the password again, so that the
 * password is never stored.
 */
export type PasswordCredentials = {
	kind: 'password';
	authUrl: string;
	anonKey: string;
	email: string;
	/**
	 * Returns the password. After a refusal, `refused` is the reason, and the function returns another password or fails
	 * with an error that says why the last one was refused.
	 */
	password: (signal: AbortSignal, refused?: Failure) => Promise<string>;
	/** Forgets the password. From now on, only one that a person types is sent. */
	forgetPassword?: () => void;
};

/**
 * Exchanges the account's password for a token. After a refusal, this requests another password; it never sends
 * the same password twice in a row.
 */
export function createPasswordSignIn(options: {
	sendHttp: SendHttp;
	clock: Clock;
	/** Aborted when the program ends. */
	closingSignal: AbortSignal;
	/** Removes secrets from what the provider returns. */
	redact: (text: string) => string;
}): (credentials: PasswordCredentials) => Promise<AccessToken> {
	const { sendHttp, clock, closingSignal, redact } = options;
	/** Why the last password was refused; absent if the identity provider did not judge it. */
	let refusal: Failure | undefined;
	/** Whether the last sign-in failed with a 401 that does not clearly say that the password is wrong. */
	let wasUnclear401 = false;

	const send = ({ authUrl, anonKey, email }: PasswordCredentials, password: string) =>
		sendHttp({
			method: 'POST',
			url: `${authUrl.replace(/\/+$/, '')}/auth/v1/token?grant_type=password`,
			headers: { apikey: anonKey },
			body: { email, password },
			signal: closingSignal,
			maxBytes: responseLimits.token,
		});

	function failureOfResponse(response: HttpResponse): Failure {
		const failure = signInFailureFrom(failureFrom({ ...response, now: clock.now() }));
		return { ...failure, message: redact(failure.message) };
	}

	return async credentials => {
		for (let refusedPassword: string | undefined; ; ) {
			const password = await credentials.password(closingSignal, refusal);
			if (refusal && password === refusedPassword) throw new PlatformError(refusal);
			refusal = undefined;
			const response = await send(credentials, password);
			if (response.status >= 200 && response.status < 300) {
				wasUnclear401 = false;
				return tokenFrom(response.json, clock.now());
			}
			const failure = failureOfResponse(response);
			if (failure.kind !== 'auth') throw new PlatformError(failure);
			wasUnclear401 = !wasUnclear401 && response.status === 401 && !blamesPassword(failure);
			if (wasUnclear401) throw new PlatformError(failure);
			refusal = failure;
			refusedPassword = password;
		}
	};
}

// A proxy or an identity provider in trouble also responds with 401. Such a 401 does not mean that the password
// is wrong.
function blamesPassword({ code, message }: Failure): boolean {
	return /grant|credential|password|login/i.test(`${code ?? ''} ${message}`);
}

// The identity provider refuses a wrong password with status 400. From the platform, 400 means a malformed request.
function signInFailureFrom(failure: Failure): Failure {
	const isRefusal = failure.kind === 'invalid' || failure.kind === 'denied';
	return isRefusal ? { ...failure, kind: 'auth', advice: adviceByKind.auth } : failure;
}

export function tokenFrom(body: unknown, now: number): AccessToken {
	const { value, path } = unwrapEnvelope(body);
	const fields = fieldsFrom(value, path);
	const accessToken = fields.get('accesstoken');
	// Reject line breaks: they would inject a second header.
	if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(accessToken)) {
		throw unreadableError('access_token', 'a token');
	}
	const seconds = numberFrom(fields.get('expiresin'));
	const endsAt =
		typeof seconds === 'number' && seconds > 0
			? now + seconds * 1000
			: (timeFrom(fields.get('expiresat')) ?? expiryOf(accessToken));
	return { accessToken, ...(endsAt && { endsAt }) };
}

/** The expiry time in a JSON Web Token (its `exp` claim), in milliseconds. */
function expiryOf(token: string): number | undefined {
	try {
		const claims: unknown = JSON.parse(
			Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
		);
		return isObject(claims) ? (timeFrom(claims['exp']) ?? undefined) : undefined;
	} catch {
		return undefined;
	}
}
