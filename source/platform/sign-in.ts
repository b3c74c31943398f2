import type { Clock } from '../fleet/clock.ts';
import { failureFrom } from './decode-failure.ts';
import { type Token, tokenFrom } from './decode-token.ts';
import type { Exchange } from './exchange.ts';
import { advice, failureOf, PlatformError } from './platform-error.ts';

/** How an account proves who it is. Secrets are asked for when they are needed, and not kept. */
export type Credentials =
	| { kind: 'token'; token: string }
	| {
			kind: 'password';
			authUrl: string;
			anonKey: string;
			email: string;
			password: (signal: AbortSignal) => Promise<string>;
	  };

export type SignIn = {
	/** A token that is good for a while yet; all who wait share one sign-in. */
	token(signal: AbortSignal): Promise<string>;
	/** A new one in the place of a refused one, unless another caller has renewed it already. */
	renew(refused: string, signal: AbortSignal): Promise<string>;
	close(): void;
};

// A token is renewed this long before its end, or a tenth of its life for one that lives shortly.
const early = 60_000;

export function createSignIn(options: {
	credentials: Credentials;
	exchange: Exchange;
	clock: Clock;
	onSignedIn?: ((email: string) => void) | undefined;
}): SignIn {
	const { credentials, exchange, clock } = options;
	const closing = new AbortController();
	let current: (Token & { givenAt: number }) | undefined;
	let underWay: Promise<string> | undefined;

	async function signIn(): Promise<string> {
		if (credentials.kind === 'token') return credentials.token;
		const { authUrl, anonKey, email } = credentials;
		const password = await credentials.password(closing.signal);
		const answer = await exchange({
			method: 'POST',
			url: `${authUrl.replace(/\/+$/, '')}/auth/v1/token?grant_type=password`,
			headers: { apikey: anonKey },
			body: { email, password },
			signal: closing.signal,
		});
		const now = clock.now();
		if (answer.status < 200 || answer.status > 299) {
			throw new PlatformError(signInFailureFrom(failureFrom({ ...answer, now })));
		}
		current = { ...tokenFrom(answer.json, now), givenAt: now };
		options.onSignedIn?.(email);
		return current.accessToken;
	}

	function shared(): Promise<string> {
		underWay ??= signIn().finally(() => {
			underWay = undefined;
		});
		return underWay;
	}

	function isGood(): boolean {
		if (current?.endsAt === undefined) return current !== undefined;
		const life = current.endsAt - current.givenAt;
		return clock.now() < current.endsAt - Math.min(early, life / 10);
	}

	return {
		token: signal => {
			if (current && isGood()) return Promise.resolve(current.accessToken);
			return orAborted(shared(), signal);
		},
		renew(refused, signal) {
			if (credentials.kind === 'token') {
				const said = 'the token that was given is no longer accepted';
				return Promise.reject(new PlatformError(failureOf('auth', said, { status: 401 })));
			}
			if (current && current.accessToken !== refused) return Promise.resolve(current.accessToken);
			current = undefined;
			return orAborted(shared(), signal);
		},
		close: () => closing.abort(),
	};
}

// Whoever gives up waiting does not end the sign-in that the others wait for.
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	const cancelled = () => new PlatformError(failureOf('cancelled', 'called off'));
	return new Promise((resolve, reject) => {
		const abort = () => reject(cancelled());
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

// The identity provider answers a wrong password with 400, which elsewhere means a wrong request.
function signInFailureFrom(failure: ReturnType<typeof failureFrom>) {
	const isRefusal = failure.kind === 'invalid' || failure.kind === 'denied';
	return isRefusal ? { ...failure, kind: 'auth' as const, advice: advice.auth } : failure;
}
