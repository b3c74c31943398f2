import { setImmediate } from 'node:timers/promises';
import { isSafeForSecrets } from '../foundation/network.ts';
import type { RateLimiter } from '../limits/limits.ts';
import { redactedJson } from './decoding/answer.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import { type ApiCall, createEndpoints, type Send } from './endpoints.ts';
import { createHttp, type HttpResponse } from './http.ts';
import { createSignIn, type SignIn, type SignInOptions } from './sign-in.ts';

export type Platform = ReturnType<typeof createPlatform>;

export type PlatformOptions = SignInOptions & {
	baseUrl: string;
	rateLimiter: RateLimiter;
};

export function createPlatform(options: PlatformOptions) {
	const { baseUrl, credentials, clock, activity } = options;
	refuseUnsafeAddress(baseUrl);
	if (credentials.kind === 'password') refuseUnsafeAddress(credentials.authUrl);
	const signIn = createSignIn(options);
	const send = createSend(options, signIn);
	async function nextTurn() {
		const endActivity = activity?.begin();
		await setImmediate();
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

//  call ──> token ──> slot ──> HTTP ──> response
//             ▲   (rate limit)   │
//             └── renew it once <┴── 401

function createSend(options: PlatformOptions, signIn: SignIn): Send {
	const { baseUrl, rateLimiter, redact = text => text } = options;
	const http = createHttp(baseUrl, options);

	async function sendOnce(
		{ scope, priority, onSent, onUnsent: _, ...request }: ApiCall,
		token?: string,
	) {
		const { signal, isVisit } = request;
		const slot = await rateLimiter.acquire(scope, { priority, signal }).catch(error => {
			throw signal.aborted ? cancelledError() : error;
		});
		// It may hold the request back.
		if (!signal.aborted) onSent?.();
		if (signal.aborted) {
			slot.end('notSent');
			throw cancelledError();
		}
		try {
			return await http({
				...request,
				headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
				onResponse(response) {
					if (!isVisit) slot.end(response);
				},
			});
		} finally {
			slot.end('noResponse');
		}
	}

	async function sendWithToken(call: ApiCall): Promise<HttpResponse> {
		const { signal, priority } = call;
		const token = await signIn.getToken(signal, priority);
		try {
			return await sendOnce(call, token);
		} catch (error) {
			if (!(error instanceof PlatformError) || error.failure.status !== 401) throw error;
			call.onUnsent?.();
			return sendOnce(call, await signIn.renewToken(token, signal, priority));
		}
	}

	return async call => {
		if (call.isVisit) return sendOnce(call);
		const response = await sendWithToken(call);
		return { ...response, json: redactedJson(response.json, response.text, redact) };
	};
}

const cancelledError = () => new PlatformError(createFailure('cancelled', 'cancelled'));
