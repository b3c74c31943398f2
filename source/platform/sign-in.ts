import { claimsOf } from '../accounts/credentials.ts';
import type { AccessToken, TokenCache } from '../accounts/token-cache.ts';
import { backoffDelay, type Failure } from '../foundation/failure.ts';
import { jsonFrom } from '../foundation/schema.ts';
import type { Priority } from '../limits/limits.ts';
import { responseLimits } from './decoding/answer.ts';
import { fieldsFrom, numberFrom, timeFrom, unwrapEnvelope } from './decoding/decode.ts';
import {
	adviceByKind,
	createFailure,
	failureIn,
	PlatformError,
	unreadableError,
} from './decoding/platform-error.ts';
import { createHttp, type HttpOptions } from './http.ts';

export type PasswordCredentials = {
	kind: 'password';
	authUrl: string;
	anonKey: string;
	email: string;
	/** After a refusal, another one, or an error that says why the last was refused. */
	password: (signal: AbortSignal, refused?: Failure) => Promise<string>;
	forgetPassword?: () => void;
};

export type Credentials = { kind: 'token'; token: string } | PasswordCredentials;

// A short-lived token is renewed after nine tenths of its lifetime.
const renewBeforeMs = 60_000;

const minWaitMs = 1_000;

export type SignInOptions = HttpOptions & {
	credentials: Credentials;
	random?: () => number;
	tokenCache?: TokenCache;
	onSignedIn?: (email: string) => void;
	onSignInFailed?: (failure: Failure) => void;
};

//                     token in the cache
//               ┌──────────────────────────────┐
//               │                              ▼
//   no token ───┴──> asking for a password ──> signed in ──┐ about to expire, or the platform
//       ▲                │     ▲     │             ▲       │ refused it: look in the cache again
//       │                │     └─────┘             └───────┘
//       │                │  password refused
//       └── backoff <────┘ the provider did not decide (offline, 5xx, a doubtful 401)
//
// Signing out leads to `no token` from everywhere, and then only a password that a person types leads on.

type SignIn = ReturnType<typeof passwordSignIn>;

export function createSignIn(options: SignInOptions): SignIn {
	const { credentials } = options;
	return credentials.kind === 'token'
		? tokenSignIn(credentials.token, options)
		: passwordSignIn(credentials, options);
}

function tokenSignIn(token: string, { onSignInFailed }: SignInOptions): SignIn {
	return {
		getToken: async () => token,
		async renewToken() {
			const failure = createFailure('auth', 'the configured token was refused', {
				status: 401,
				advice: 'Set CROWSNEST_TOKEN to a valid token, or unset it to sign in with a password.',
			});
			onSignInFailed?.(failure);
			throw new PlatformError(failure);
		},
		endWait() {},
		signOut() {},
		close() {},
	};
}

function passwordSignIn(credentials: PasswordCredentials, options: SignInOptions) {
	const { clock, random = () => 0, tokenCache, onSignedIn, onSignInFailed } = options;
	const closing = new AbortController();
	const tokenForPassword = createPasswordExchange(credentials, options, closing.signal);
	let currentToken: (AccessToken & { receivedAt: number }) | undefined;
	let signingIn: Promise<string> | undefined;
	/** A person may end the wait; the next one then grows as before. */
	let backoff: { failure: Failure; failedAt: number; delayMs: number; waitMs: number } | undefined;
	let isSignedOut = false;
	/** Ends with a sign-out; what an earlier sign-in brings is thrown away. */
	let stay = new AbortController();

	function sharedSignIn(): Promise<string> {
		const { signal } = stay;
		signingIn ??= signIn(signal).finally(() => {
			if (!signal.aborted) signingIn = undefined;
		});
		return signingIn;
	}

	async function signIn(signal: AbortSignal): Promise<string> {
		try {
			// Another process may store its token again, which must not end the sign-out of this one.
			const cached = isSignedOut ? undefined : tokenCache?.load();
			const isFresh = cached && isUsable(cached, renewBeforeMs);
			const token = isFresh ? cached : await tokenForPassword();
			if (signal.aborted) throw new PlatformError(signedOutFailure);
			if (!isFresh) tokenCache?.save(token);
			currentToken = { ...token, receivedAt: clock.now() };
			isSignedOut = false;
			backoff = undefined;
			onSignedIn?.(credentials.email);
			return token.accessToken;
		} catch (error) {
			if (!signal.aborted && error instanceof PlatformError) noteFailure(error.failure);
			throw error;
		}
	}

	const isUsable = ({ endsAt }: AccessToken, beforeEndMs: number) =>
		endsAt === undefined || clock.now() < endsAt - beforeEndMs;

	function validToken(): string | undefined {
		if (!currentToken) return undefined;
		const { accessToken, receivedAt, endsAt = Number.POSITIVE_INFINITY } = currentToken;
		const beforeEndMs = Math.min(renewBeforeMs, (endsAt - receivedAt) / 10);
		return isUsable(currentToken, beforeEndMs) ? accessToken : undefined;
	}

	function noteFailure(failure: Failure) {
		if (failure.kind === 'auth') return onSignInFailed?.(failure);
		if (failure.kind === 'cancelled') return;
		const delayMs = backoffDelay(backoff?.delayMs, failure, random);
		backoff = { failure, failedAt: clock.monotonic(), delayMs, waitMs: delayMs };
	}

	const waitMs = () => (backoff ? backoff.failedAt + backoff.waitMs - clock.monotonic() : 0);

	async function newToken(signal: AbortSignal, priority: Priority): Promise<string> {
		if (waitMs() > 0 && priority === 'operation') {
			let cancelTimer = () => {};
			const waited = new Promise<void>(resolve => {
				cancelTimer = clock.after(waitMs(), resolve);
			});
			const aborted = AbortSignal.any([signal, closing.signal]);
			await untilAborted(waited, aborted).finally(cancelTimer);
		}
		if (backoff && waitMs() > 0)
			throw new PlatformError({ ...backoff.failure, retryAfter: waitMs() });
		return untilAborted(sharedSignIn(), signal);
	}

	return {
		/** During the backoff an operation waits, and a read fails at once, because it is repeated later. */
		getToken: async (signal: AbortSignal, priority: Priority = 'read'): Promise<string> =>
			validToken() ?? newToken(signal, priority),
		async renewToken(refused: string, signal: AbortSignal, priority: Priority = 'read') {
			if (currentToken && currentToken.accessToken !== refused) return currentToken.accessToken;
			currentToken = undefined;
			tokenCache?.remove(refused);
			return newToken(signal, priority);
		},
		/** Not a wait for a rate limit, nor the first second, so that a held key sends few sign-ins. */
		endWait(hasTypedPassword = false) {
			if (!backoff || (!hasTypedPassword && backoff.failure.kind === 'limited')) return;
			const longest = hasTypedPassword ? 0 : minWaitMs;
			backoff = { ...backoff, waitMs: Math.min(backoff.waitMs, longest) };
		},
		signOut() {
			stay.abort();
			stay = new AbortController();
			isSignedOut = true;
			currentToken = undefined;
			signingIn = undefined;
			backoff = undefined;
			tokenCache?.forget();
			credentials.forgetPassword?.();
			onSignInFailed?.(signedOutFailure);
		},
		close: () => closing.abort(),
	};
}

const signedOutFailure = createFailure('auth', 'you signed out', { isDeliberate: true });

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(new PlatformError(createFailure('cancelled', 'cancelled')));
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop);
		const settle = () => signal.removeEventListener('abort', stop);
		promise.finally(settle).then(resolve, reject);
	});
}

/** Never sends the same password twice in a row. */
function createPasswordExchange(
	{ authUrl, anonKey, email, password: nextPassword }: PasswordCredentials,
	options: HttpOptions,
	signal: AbortSignal,
): () => Promise<AccessToken> {
	const send = createHttp(authUrl, options);
	let refusal: Failure | undefined;
	let wasUnclear401 = false;

	return async () => {
		for (let refusedPassword: string | undefined; ; ) {
			const password = await nextPassword(signal, refusal);
			if (refusal && password === refusedPassword) throw new PlatformError(refusal);
			refusal = undefined;
			try {
				const { text } = await send({
					method: 'POST',
					path: '/auth/v1/token?grant_type=password',
					headers: { apikey: anonKey },
					body: { email, password },
					signal,
					maxBytes: responseLimits.token,
				});
				wasUnclear401 = false;
				return tokenFrom(jsonFrom(text), options.clock.now());
			} catch (error) {
				const failure = signInFailureFrom(failureIn(error));
				wasUnclear401 = !wasUnclear401 && failure.status === 401 && !blamesPassword(failure);
				if (failure.kind !== 'auth' || wasUnclear401) throw new PlatformError(failure);
				refusal = failure;
				refusedPassword = password;
			}
		}
	};
}

// A proxy or an identity provider in trouble answers with 401 as well.
const blamesPassword = ({ code, message }: Failure) =>
	/grant|credential|password|login/i.test(`${code ?? ''} ${message}`);

// A wrong password is refused with 400. A request that waits for the sign-in was not carried out.
function signInFailureFrom(failure: Failure): Failure {
	const isRefusal = failure.kind === 'invalid' || failure.kind === 'denied';
	const refused = { kind: 'auth', advice: adviceByKind.auth } as const;
	return { ...failure, ...(isRefusal && refused), isOutcomeUnknown: false };
}

export function tokenFrom(body: unknown, now: number): AccessToken {
	const field = fieldsFrom(unwrapEnvelope(body));
	const accessToken = field('accesstoken');
	// A line break would inject a second header.
	if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(accessToken))
		throw unreadableError('access_token', 'a token');
	const seconds = numberFrom(field('expiresin'));
	const endsAt =
		typeof seconds === 'number' && seconds > 0
			? now + seconds * 1000
			: (timeFrom(field('expiresat')) ?? timeFrom(claimsOf(accessToken).exp));
	return { accessToken, endsAt: endsAt ?? undefined };
}
