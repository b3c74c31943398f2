import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { type Fetch, isSafeForSecrets } from '../foundation/network.ts';
import type { TokenCache } from '../foundation/sign-in.ts';
import type { RateLimiter } from '../pace/limits.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import { type AccountEndpoints, accountEndpoints } from './endpoints-account.ts';
import {
	type ComputerEndpoints,
	computerEndpoints,
	type PublicationEndpoints,
	publicationEndpoints,
} from './endpoints-computers.ts';
import { createHttpSender } from './http.ts';
import { type Credentials, createSignIn } from './sign-in.ts';
import { createTransport } from './transport.ts';

/** The HTTP API, with a function for each endpoint. Every function throws only `PlatformError`. */
export type Platform = ComputerEndpoints &
	PublicationEndpoints &
	AccountEndpoints & {
		/** Lets the next read sign in at once, although the last sign-in has just failed; see `SignIn`. */
		endSignInWait(hasTypedPassword?: boolean): void;
		/** Deletes the token. The next sign-in needs a password that a person types. */
		signOut(): void;
		/** Aborts a sign-in that is in progress. */
		close(): void;
	};

export type PlatformOptions = {
	/** The base URL, which ends in /v1. */
	baseUrl: string;
	credentials: Credentials;
	rateLimiter: RateLimiter;
	clock: Clock;
	fetch: Fetch;
	/** The timeout of a request in milliseconds, including reading the response. */
	timeoutMs?: number;
	/** Counts the requests in progress. */
	activity?: Activity | undefined;
	/**
	 * Resolves in the next turn of the event loop, so that keys do not wait for a long list. If absent, a list is
	 * decoded in one turn.
	 */
	nextTurn?: (() => Promise<void>) | undefined;
	tokenCache?: TokenCache | undefined;
	/** Removes secrets from a text. */
	redact?: ((text: string) => string) | undefined;
	onSignedIn?: ((email: string) => void) | undefined;
	/** Called when the credentials are refused or missing. */
	onSignInFailed?: ((failure: Failure) => void) | undefined;
};

export function createPlatform(options: PlatformOptions): Platform {
	const { baseUrl, credentials, timeoutMs = 15_000 } = options;
	refuseUnsafeAddress(baseUrl);
	if (credentials.kind === 'password') refuseUnsafeAddress(credentials.authUrl);
	const sendHttp = createHttpSender({ ...options, timeoutMs });
	const signIn = createSignIn({ ...options, sendHttp });
	const transport = createTransport({ ...options, sendHttp, signIn });
	async function endTurn() {
		const endActivity = options.activity?.begin();
		await options.nextTurn?.();
		endActivity?.();
	}
	return {
		...computerEndpoints(transport, options.clock, endTurn),
		...publicationEndpoints(transport, baseUrl),
		...accountEndpoints(transport),
		endSignInWait: signIn.endWait,
		signOut: signIn.signOut,
		close: signIn.close,
	};
}

function refuseUnsafeAddress(address: string): void {
	if (URL.canParse(address) && isSafeForSecrets(new URL(address))) return;
	const message = `${URL.canParse(address) ? new URL(address).origin : 'the address'} is not https`;
	const advice = 'Use https. Credentials are sent over http only to this machine.';
	throw new PlatformError({ ...createFailure('invalid', message), advice });
}
