import { isSafeForSecrets } from '../foundation/network.ts';
import type { RateLimiter } from '../limits/limits.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { createHttp } from './http.ts';
import { createSignIn, type SignIn, type SignInOptions } from './sign-in.ts';
import { createTransport } from './transport.ts';

export type Platform = Endpoints & {
	endSignInWait: SignIn['endWait'];
	signOut: SignIn['signOut'];
	close: SignIn['close'];
};

export type PlatformOptions = SignInOptions & {
	baseUrl: string;
	rateLimiter: RateLimiter;
};

export function createPlatform(options: PlatformOptions): Platform {
	const { baseUrl, credentials, rateLimiter, clock, activity, redact } = options;
	refuseUnsafeAddress(baseUrl);
	if (credentials.kind === 'password') refuseUnsafeAddress(credentials.authUrl);
	const signIn = createSignIn(options);
	const send = createTransport({ send: createHttp(baseUrl, options), rateLimiter, signIn, redact });
	async function nextTurn() {
		const endActivity = activity?.begin();
		await options.nextTurn?.();
		endActivity?.();
	}
	return {
		...createEndpoints(send, baseUrl, clock, nextTurn),
		endSignInWait: signIn.endWait,
		signOut: signIn.signOut,
		close: signIn.close,
	};
}

function refuseUnsafeAddress(address: string): void {
	if (URL.canParse(address) && isSafeForSecrets(new URL(address))) return;
	const message = `${URL.canParse(address) ? new URL(address).origin : 'the address'} is not https`;
	const advice = 'Use https. Credentials are sent over http only to this machine.';
	throw new PlatformError(createFailure('invalid', message, { advice }));
}
