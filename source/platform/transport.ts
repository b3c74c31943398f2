import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { ResponseHeaders } from '../foundation/network.ts';
import type { Priority, RateLimiter, Scope } from '../pace/limits.ts';
import {
	bodyReportsFailure,
	failureFrom,
	mayHaveBeenCarriedOut,
} from './decoding/decode-failure.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';
import type { HttpResponse, SendHttp } from './http.ts';
import type { SignIn } from './sign-in.ts';

/** The options that every API request takes. */
export type RequestOptions = {
	signal: AbortSignal;
	priority: Priority;
	/** Called each time the rate limiter lets a request be sent: for each page and each retry. */
	onSent?: () => void;
};

export type ApiCall = RequestOptions & {
	scope: Scope;
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	body?: object;
	/**
	 * Whether the request goes to a customer's application instead of the platform. Such a request must not
	 * contain the token, and only the headers of its response are read.
	 */
	isApplicationVisit?: boolean;
	/**
	 * The JSON to return for a 404 that is not a failure. The 404 must have a JSON body: a web page means that
	 * the address is wrong.
	 */
	jsonIfNotFound?: unknown;
	/** The largest accepted response in bytes, if it may be larger than a single record. */
	maxBytes?: number;
	/** Converts each element of a long list in the response. */
	convertElement?: (element: unknown) => unknown;
};

//  call ──> token ──> permit ──> HTTP ──> response ──> success: the response
//             ▲   (rate limit)              │
//             └──── renew the token <── 401 ├────────> 404 with `jsonIfNotFound`: that
//                   (once)                  └────────> anything else: PlatformError

/** Sends API calls with a token and a permit. If the token is refused, renews it and repeats the call once. */
export type Transport = {
	/** Returns a successful response; throws for any other response. */
	send(call: ApiCall): Promise<HttpResponse>;
	/** Returns the response, also if the status is an error. */
	sendWithAnyStatus(call: ApiCall): Promise<HttpResponse>;
};

export function createTransport(options: {
	baseUrl: string;
	sendHttp: SendHttp;
	rateLimiter: RateLimiter;
	signIn: SignIn;
	clock: Clock;
	/** Removes secrets from a text. An error of the platform may quote the request. */
	redact?: ((text: string) => string) | undefined;
}): Transport {
	const { sendHttp, rateLimiter, signIn, clock, redact = text => text } = options;
	const baseUrl = options.baseUrl.replace(/\/+$/, '');

	async function sendOnce(call: ApiCall, token: string | undefined) {
		const { scope, method, path, body, signal, priority } = call;
		const permit = await acquirePermit(rateLimiter, scope, { priority, signal });
		call.onSent?.();
		try {
			const response = await sendHttp({
				method,
				url: `${baseUrl}${path}`,
				headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
				body,
				signal,
				skipsBody: call.isApplicationVisit,
				maxBytes: call.maxBytes,
				convertElement: call.convertElement,
				redact: options.redact,
			});
			// An application's rate limit headers describe its own limits, not those of the platform.
			if (call.isApplicationVisit) permit.reportNoResponse();
			else permit.reportResponse(response);
			return response;
		} catch (error) {
			permit.reportNoResponse();
			throw method === 'GET' ? withKnownOutcome(error) : error;
		}
	}

	async function sendWithAnyStatus(call: ApiCall): Promise<HttpResponse> {
		if (call.isApplicationVisit) return sendOnce(call, undefined);
		const token = await awaitToken(signIn.getToken(call.signal, call.priority));
		const response = await sendOnce(call, token);
		if (response.status !== 401) return response;
		return sendOnce(call, await awaitToken(signIn.renewToken(token, call.signal, call.priority)));
	}

	return {
		sendWithAnyStatus,
		async send(call) {
			const response = await sendWithAnyStatus(call);
			const { status, headers, json } = response;
			const isSuccess = status >= 200 && status < 300 && !bodyReportsFailure(json);
			if (isSuccess) return response;
			if (status === 404 && json !== undefined && 'jsonIfNotFound' in call) {
				return { ...response, json: call.jsonIfNotFound };
			}
			const isOutcomeUnknown = call.method !== 'GET' && mayHaveBeenCarriedOut(status);
			if (status >= 300 && status < 400) {
				throw new PlatformError({ ...redirectFailure(headers), status, isOutcomeUnknown });
			}
			const failure = failureFrom({ ...response, now: clock.now() });
			const message = redact(failure.message);
			throw new PlatformError({ ...failure, message, isOutcomeUnknown });
		},
	};
}

async function acquirePermit(limiter: RateLimiter, scope: Scope, options: RequestOptions) {
	try {
		return await limiter.acquire(scope, options);
	} catch (error) {
		if (!options.signal.aborted) throw error;
		throw new PlatformError(createFailure('cancelled', 'cancelled'));
	}
}

/** If the sign-in fails, the call was certainly not carried out: it was never sent, or refused with 401. */
async function awaitToken(token: Promise<string>): Promise<string> {
	try {
		return await token;
	} catch (error) {
		throw withKnownOutcome(error);
	}
}

/** A read changes nothing, so its outcome is never unknown. */
function withKnownOutcome(error: unknown): unknown {
	if (!(error instanceof PlatformError)) return error;
	return new PlatformError({ ...error.failure, isOutcomeUnknown: false });
}

function redirectFailure(headers: ResponseHeaders): Failure {
	const target = headers.get('location') ?? '';
	const origin = URL.canParse(target) ? ` to ${new URL(target).origin}` : '';
	return {
		...createFailure('unreadable', `the platform redirects${origin}`),
		advice: 'If you trust that address, put it into the configuration.',
	};
}
