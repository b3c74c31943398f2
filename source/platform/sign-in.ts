import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { AccessToken, TokenCache } from '../foundation/sign-in.ts';
import type { Priority } from '../pace/limits.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import type { SendHttp } from './http.ts';
import { createPasswordSignIn, type PasswordCredentials } from './password-sign-in.ts';

/** How an account signs in. */
export type Credentials = { kind: 'token'; token: string } | PasswordCredentials;

export type SignIn = {
	/**
	 * Returns a valid token. All callers share one sign-in. During the backoff after a failed sign-in, an
	 * operation waits, but a read fails at once, because polling repeats it later anyway.
	 */
	getToken(signal: AbortSignal, priority?: Priority): Promise<string>;
	/** Replaces a refused token, unless another caller has replaced it already. */
	renewToken(refusedToken: string, signal: AbortSignal, priority?: Priority): Promise<string>;
	/**
	 * Lets the next read sign in at once, because a person asks for it or the host has woken up. A wait
	 * for a rate limit stays, and so does the first second, so that a held key sends few sign-ins. A password that a
	 * person has just typed waits for nothing.
	 */
	endWait(hasTypedPassword?: boolean): void;
	/** Forgets the token, also the stored one, and the password. The next sign-in needs a person. */
	signOut(): void;
	close(): void;
};

// A token is renewed this long before it expires. A short-lived token is renewed after nine tenths of its lifetime.
const renewBeforeMs = 60_000;

const firstBackoffMs = 1_000;
const maxBackoffMs = 60_000;
/** The longest wait that the identity provider may ask for. */
const maxRetryAfterMs = 60 * 60_000;

type SignInOptions = {
	credentials: Credentials;
	sendHttp: SendHttp;
	clock: Clock;
	tokenCache?: TokenCache | undefined;
	/** Removes secrets from what the provider returns. */
	redact?: ((text: string) => string) | undefined;
	onSignedIn?: ((email: string) => void) | undefined;
	/** Called when the credentials are refused or missing. */
	onSignInFailed?: ((failure: Failure) => void) | undefined;
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

export function createSignIn(options: SignInOptions): SignIn {
	const { credentials, sendHttp, clock, tokenCache, redact = text => text } = options;
	const closing = new AbortController();
	const backoff = createBackoff(clock);
	let currentToken: (AccessToken & { receivedAt: number }) | undefined;
	let signInInFlight: Promise<string> | undefined;
	let isSignedOut = false;
	/** Grows each time a person signs out, so that the result of an earlier sign-in is ignored. */
	let signOutCount = 0;

	const tokenForPassword = createPasswordSignIn({
		sendHttp,
		clock,
		closingSignal: closing.signal,
		redact,
	});

	async function signIn(): Promise<string> {
		if (credentials.kind === 'token') return credentials.token;
		// Another process may store its token again, which must not end the sign-out of this one.
		const cachedToken = isSignedOut ? undefined : tokenCache?.load();
		if (
			cachedToken &&
			(cachedToken.endsAt === undefined || clock.now() < cachedToken.endsAt - renewBeforeMs)
		) {
			return rememberToken(cachedToken, credentials.email);
		}
		const countBefore = signOutCount;
		const token = await tokenForPassword(credentials);
		if (signOutCount !== countBefore) throw new PlatformError(signedOutFailure);
		isSignedOut = false;
		tokenCache?.save(token);
		return rememberToken(token, credentials.email);
	}

	function rememberToken(token: AccessToken, email: string): string {
		currentToken = { ...token, receivedAt: clock.now() };
		options.onSignedIn?.(email);
		return token.accessToken;
	}

	/** Several reads may need a token at the same time. They share one sign-in, and fail during a backoff. */
	function sharedSignIn(): Promise<string> {
		const failure = backoff.failure();
		if (failure) return Promise.reject(new PlatformError(failure));
		signInInFlight ??= signIn()
			.then(
				token => {
					backoff.end();
					return token;
				},
				error => {
					backoff.begin(error);
					if (error instanceof PlatformError) reportRefusal(error.failure);
					throw error;
				},
			)
			.finally(() => {
				if (signInInFlight === latest) signInInFlight = undefined;
			});
		const latest = signInInFlight;
		return latest;
	}

	function reportRefusal(failure: Failure) {
		if (failure.kind === 'auth') options.onSignInFailed?.(failure);
	}

	function tokenAfterBackoff(signal: AbortSignal, priority: Priority): Promise<string> {
		const waitMs = backoff.left();
		if (waitMs <= 0 || priority !== 'operation') return untilAborted(sharedSignIn(), signal);
		const aborted = AbortSignal.any([signal, closing.signal]);
		const backoffOver = new Promise<void>(resolve => {
			const cancel = clock.after(waitMs, resolve);
			aborted.addEventListener('abort', cancel, { once: true });
		});
		return untilAborted(
			backoffOver.then(() => sharedSignIn()),
			aborted,
		);
	}

	function isCurrentTokenValid(): boolean {
		if (currentToken?.endsAt === undefined) return currentToken !== undefined;
		const lifetimeMs = currentToken.endsAt - currentToken.receivedAt;
		return clock.now() < currentToken.endsAt - Math.min(renewBeforeMs, lifetimeMs / 10);
	}

	return {
		getToken: (signal, priority = 'read') => {
			if (currentToken && isCurrentTokenValid()) return Promise.resolve(currentToken.accessToken);
			return tokenAfterBackoff(signal, priority);
		},
		renewToken(refused, signal, priority = 'read') {
			if (credentials.kind === 'token') {
				const failure = createFailure('auth', 'the configured token was refused', {
					status: 401,
					advice: 'Set CROWSNEST_TOKEN to a valid token, or unset it to sign in with a password.',
				});
				reportRefusal(failure);
				return Promise.reject(new PlatformError(failure));
			}
			if (currentToken && currentToken.accessToken !== refused)
				return Promise.resolve(currentToken.accessToken);
			currentToken = undefined;
			tokenCache?.remove(refused);
			return tokenAfterBackoff(signal, priority);
		},
		endWait: backoff.shorten,
		signOut() {
			if (credentials.kind === 'token') return;
			signOutCount += 1;
			isSignedOut = true;
			currentToken = undefined;
			signInInFlight = undefined;
			backoff.end();
			tokenCache?.forget();
			credentials.forgetPassword?.();
			reportRefusal(signedOutFailure);
		},
		close: () => closing.abort(),
	};
}

const signedOutFailure = createFailure('auth', 'you signed out', { isDeliberate: true });

/** Delays the next sign-in for a growing time after failures that say nothing about the password. */
function createBackoff(clock: Clock) {
	let lastBackoff: { failure: Failure; count: number; begunAt: number; until: number } | undefined;

	function remainingMs(): number {
		if (!lastBackoff) return 0;
		// If the clock was set back, the wait is skipped.
		const { begunAt, until } = lastBackoff;
		return clock.now() < begunAt ? 0 : until - clock.now();
	}

	return {
		left: remainingMs,
		/** The failure that caused the current backoff; undefined when there is none. */
		failure: (): Failure | undefined =>
			lastBackoff && remainingMs() > 0
				? { ...lastBackoff.failure, retryAfter: remainingMs() }
				: undefined,
		end() {
			lastBackoff = undefined;
		},
		shorten(hasTypedPassword = false) {
			if (!lastBackoff) return;
			const { until, begunAt } = lastBackoff;
			if (hasTypedPassword) lastBackoff = { ...lastBackoff, until: begunAt };
			if (hasTypedPassword || lastBackoff.failure.kind === 'limited') return;
			lastBackoff = { ...lastBackoff, until: Math.min(until, begunAt + firstBackoffMs) };
		},
		/** A wrong password causes no backoff, because a person may correct it at once. */
		begin(error: unknown) {
			if (!(error instanceof PlatformError) || !causesBackoff(error.failure)) return;
			const { failure } = error;
			const count = (lastBackoff?.count ?? 0) + 1;
			const growingWaitMs = firstBackoffMs * 2 ** Math.min(count - 1, 10);
			const wait = Math.max(
				Math.min(growingWaitMs, maxBackoffMs),
				Math.min(failure.retryAfter ?? 0, maxRetryAfterMs),
			);
			const begunAt = clock.now();
			lastBackoff = { failure, count, begunAt, until: begunAt + wait };
		},
	};
}

const causesBackoff = ({ kind }: Failure) => kind !== 'auth' && kind !== 'cancelled';

/** Stops waiting when the signal aborts. The sign-in itself continues for the other callers. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	const cancelledError = () => new PlatformError(createFailure('cancelled', 'cancelled'));
	return new Promise((resolve, reject) => {
		const abort = () => reject(cancelledError());
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
