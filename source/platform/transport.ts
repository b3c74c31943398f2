import type { Priority, RateLimiter, Scope } from '../limits/limits.ts';
import { redactedJson } from './decoding/answer.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import type { HttpRequest, HttpResponse, SendHttp } from './http.ts';
import type { SignIn } from './sign-in.ts';

export type RequestOptions = {
	signal: AbortSignal;
	priority: Priority;
	/** Called when the rate limiter lets a request be sent: for each page and each retry. */
	onSent?: () => void;
	onUnsent?: () => void;
};

export type ApiCall = RequestOptions &
	Omit<HttpRequest, 'headers' | 'onResponse'> & {
		scope: Scope;
		/** A customer's application must not receive the token, and its rate limit headers describe other limits. */
		isVisit?: boolean;
	};

//  call ──> token ──> slot ──> HTTP ──> response
//             ▲   (rate limit)   │
//             └── renew it once <┴── 401

export type Transport = (call: ApiCall) => Promise<HttpResponse>;

export function createTransport(options: {
	send: SendHttp;
	rateLimiter: RateLimiter;
	signIn: SignIn;
	redact?: ((text: string) => string) | undefined;
}): Transport {
	const { send, rateLimiter, signIn, redact = text => text } = options;

	async function sendOnce(
		{ scope, priority, onSent, onUnsent: _, ...request }: ApiCall,
		token?: string,
	) {
		const { signal, isVisit } = request;
		const slot = await rateLimiter.acquire(scope, { priority, signal }).catch(error => {
			throw signal.aborted ? cancelledError() : error;
		});
		if (signal.aborted) {
			slot.end('notSent');
			throw cancelledError();
		}
		onSent?.();
		try {
			return await send({
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
