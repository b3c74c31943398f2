import type { AccessToken, TokenCache } from '../fleet/access-token.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Priority } from '../pace/limits.ts';
import { byteBounds } from './body.ts';
import { failureFrom } from './decode-failure.ts';
import { tokenFrom } from './decode-token.ts';
import type { Http } from './http.ts';
import { advice, failureOf, PlatformError } from './platform-error.ts';

/** How an account proves who it is. A password is asked for when it is needed, and not kept here. */
export type Credentials =
	| { kind: 'token'; token: string }
	| {
			kind: 'password';
			authUrl: string;
			anonKey: string;
			email: string;
			/** `refused` says why the last one given was not taken: it is not to be given again. */
			password: (signal: AbortSignal, refused?: Failure) => Promise<string>;
	  };

type ByPassword = Extract<Credentials, { kind: 'password' }>;

export type SignIn = {
	/**
	 * A token that is good for a while yet; all who wait share one sign-in. After one that failed, an
	 * operation waits until the next may be tried; a read fails at once, and is asked for again later.
	 */
	token(signal: AbortSignal, priority?: Priority): Promise<string>;
	/** A new one in the place of a refused one, unless another caller has renewed it already. */
	renew(refused: string, signal: AbortSignal, priority?: Priority): Promise<string>;
	close(): void;
};

// A token is renewed this long before its end, or a tenth of its life for one that lives shortly.
const renewBefore = 60_000;

// Every read of a watch needs a token. Each of them retries by itself, but only one sign-in is sent.
const firstBackoff = 1_000;
const longestBackoff = 60_000;

export function createSignIn(options: {
	credentials: Credentials;
	exchange: Http;
	clock: Clock;
	tokens?: TokenCache | undefined;
	/** Takes secrets out of what the provider says. */
	redact?: ((text: string) => string) | undefined;
	onSignedIn?: ((email: string) => void) | undefined;
}): SignIn {
	const { credentials, exchange, clock, tokens, redact = text => text } = options;
	const closing = new AbortController();
	let current: (AccessToken & { givenAt: number }) | undefined;
	let underWay: Promise<string> | undefined;
	/** Why the last password was not taken. One that got no answer may be right. */
	let refusal: Failure | undefined;
	/** How often in a row the provider did not decide, what it said, and until when it is left alone. */
	let backoff: { failure: Failure; count: number; until: number } | undefined;
	/** The last sign-in was refused in a way that need not be about the password. */
	let isDoubtful = false;

	async function signIn(): Promise<string> {
		if (credentials.kind === 'token') return credentials.token;
		const { email } = credentials;
		const kept = tokens?.load();
		if (kept && (kept.endsAt === undefined || clock.now() < kept.endsAt - renewBefore)) {
			return use(kept, email);
		}
		const token = await tokenForPassword(credentials);
		tokens?.keep(token);
		return use(token, email);
	}

	/** Asks on while somebody has another password to give. The same one is not sent twice. */
	async function tokenForPassword({ authUrl, anonKey, email, password }: ByPassword) {
		for (let refused: string | undefined; ; ) {
			const given = await password(closing.signal, refusal).catch(error => {
				// Nobody has another one: then why this one was refused says more.
				throw refused !== undefined && refusal ? new PlatformError(refusal) : error;
			});
			if (refusal && given === refused) throw new PlatformError(refusal);
			refusal = undefined;
			const answer = await exchange({
				method: 'POST',
				url: `${authUrl.replace(/\/+$/, '')}/auth/v1/token?grant_type=password`,
				headers: { apikey: anonKey },
				body: { email, password: given },
				signal: closing.signal,
				mostBytes: byteBounds.token,
			});
			const now = clock.now();
			if (answer.status >= 200 && answer.status < 300) {
				isDoubtful = false;
				return tokenFrom(answer.json, now);
			}
			const failure = signInFailureFrom(failureFrom({ ...answer, now }));
			const told = { ...failure, message: redact(failure.message) };
			if (told.kind !== 'auth') throw new PlatformError(told);
			isDoubtful = !isDoubtful && answer.status === 401 && !blamesPassword(told);
			if (isDoubtful) throw new PlatformError(told);
			refusal = told;
			refused = given;
		}
	}

	function use(token: AccessToken, email: string): string {
		current = { ...token, givenAt: clock.now() };
		options.onSignedIn?.(email);
		return token.accessToken;
	}

	function waitLeft(): number {
		const wait = backoff ? backoff.until - clock.now() : 0;
		// A clock that was put back would keep everybody waiting for long.
		return wait <= longestBackoff ? wait : 0;
	}

	/** One sign-in for all who wait, and after a failure none for a while. */
	function sharedSignIn(): Promise<string> {
		const wait = waitLeft();
		if (backoff && wait > 0) {
			return Promise.reject(new PlatformError({ ...backoff.failure, retryAfter: wait }));
		}
		underWay ??= signIn()
			.then(token => {
				backoff = undefined;
				return token;
			}, leaveAlone)
			.finally(() => {
				underWay = undefined;
			});
		return underWay;
	}

	// A wrong password is for a person to put right, at once.
	function leaveAlone(error: unknown): never {
		if (error instanceof PlatformError && isUndecided(error.failure)) {
			const count = (backoff?.count ?? 0) + 1;
			const growing = firstBackoff * 2 ** Math.min(count - 1, 10);
			const wait = Math.min(Math.max(growing, error.failure.retryAfter ?? 0), longestBackoff);
			backoff = { failure: error.failure, count, until: clock.now() + wait };
		}
		throw error;
	}

	function tokenAfterBackoff(signal: AbortSignal, priority: Priority): Promise<string> {
		const wait = waitLeft();
		if (wait <= 0 || priority === 'read') return untilAborted(sharedSignIn(), signal);
		const over = AbortSignal.any([signal, closing.signal]);
		const patient = new Promise<void>(resolve => {
			const forget = clock.after(wait, resolve);
			over.addEventListener('abort', forget, { once: true });
		});
		return untilAborted(
			patient.then(() => sharedSignIn()),
			over,
		);
	}

	function isGood(): boolean {
		if (current?.endsAt === undefined) return current !== undefined;
		const life = current.endsAt - current.givenAt;
		return clock.now() < current.endsAt - Math.min(renewBefore, life / 10);
	}

	return {
		token: (signal, priority = 'read') => {
			if (current && isGood()) return Promise.resolve(current.accessToken);
			return tokenAfterBackoff(signal, priority);
		},
		renew(refused, signal, priority = 'read') {
			if (credentials.kind === 'token') {
				const said = 'the token that was given is no longer accepted';
				return Promise.reject(new PlatformError(failureOf('auth', said, { status: 401 })));
			}
			if (current && current.accessToken !== refused) return Promise.resolve(current.accessToken);
			current = undefined;
			tokens?.drop(refused);
			return tokenAfterBackoff(signal, priority);
		},
		close: () => closing.abort(),
	};
}

const isUndecided = ({ kind }: Failure) => kind !== 'auth' && kind !== 'cancelled';

// Whoever gives up waiting does not end the sign-in that the others wait for.
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	const cancelled = () => new PlatformError(failureOf('cancelled', 'cancelled'));
	return new Promise((resolve, reject) => {
		const abort = () => reject(cancelled());
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

// A proxy says 401, too, and so does a provider that has its own troubles: a password that was good is
// not given up for one of these.
function blamesPassword({ code, message }: Failure): boolean {
	return /grant|credential|password|login/i.test(`${code ?? ''} ${message}`);
}

// The identity provider answers a wrong password with 400, which elsewhere means a wrong request.
function signInFailureFrom(failure: Failure): Failure {
	const isRefusal = failure.kind === 'invalid' || failure.kind === 'denied';
	return isRefusal ? { ...failure, kind: 'auth', advice: advice.auth } : failure;
}
