import type { Clock } from '../fleet/clock.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Priority, RateLimiter, Scope } from '../pace/limits.ts';
import { failureFrom, isRefusedInBody, mayHaveBeenDone } from './decode-failure.ts';
import type { Http, HttpResponse } from './http.ts';
import { failureOf, PlatformError } from './platform-error.ts';
import { redactedJson } from './redact-json.ts';
import type { SignIn } from './sign-in.ts';

/** What whoever asks decides about a request. */
export type RequestOptions = {
	signal: AbortSignal;
	priority: Priority;
	/** Called when a request goes out, after its wait for the budget: once for each page and repeat. */
	onSent?: () => void;
};

export type ApiCall = RequestOptions & {
	scope: Scope;
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	body?: object;
	/**
	 * Goes without a token: what answers there is somebody's application, which must not learn it. Nor is
	 * it read further than its headers.
	 */
	isPublic?: boolean;
	/**
	 * What a 404 in JSON stands for, where it is no failure. A 404 page is one all the same: it says
	 * that the address is wrong.
	 */
	notFoundAs?: unknown;
	/** How many bytes its answer may have, if more than one record. */
	mostBytes?: number;
};

/** Sends a call with a token, through the gate; a refused token is renewed and the call repeated. */
export type Transport = {
	/** The answer, when it is one of success. */
	send(call: ApiCall): Promise<HttpResponse>;
	/** The answer, whatever it says. */
	sendAny(call: ApiCall): Promise<HttpResponse>;
};

export function createTransport(options: {
	baseUrl: string;
	exchange: Http;
	gate: RateLimiter;
	signIn: SignIn;
	clock: Clock;
	/** Takes secrets out of what the platform says: a refusal may quote the request. */
	redact?: ((text: string) => string) | undefined;
}): Transport {
	const { exchange, gate, signIn, clock, redact = text => text } = options;
	const baseUrl = options.baseUrl.replace(/\/+$/, '');

	async function sendOnce(call: ApiCall, token: string | undefined) {
		const { scope, method, path, body, signal, priority } = call;
		const ticket = await acquirePermit(gate, scope, { priority, signal });
		call.onSent?.();
		try {
			const answer = await exchange({
				method,
				url: `${baseUrl}${path}`,
				headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
				body,
				signal,
				isHeadersOnly: call.isPublic,
				mostBytes: call.mostBytes,
			});
			const { text, json } = answer;
			const redactedAnswer = { ...answer, json: redactedJson(json, text, redact) };
			// What somebody's application says of limits is about its own.
			if (call.isPublic) ticket.lost();
			else ticket.answered(answer);
			return redactedAnswer;
		} catch (error) {
			ticket.lost();
			throw method === 'GET' ? withKnownOutcome(error) : error;
		}
	}

	async function ask(call: ApiCall): Promise<HttpResponse> {
		if (call.isPublic) return sendOnce(call, undefined);
		const token = await tokenOrFail(signIn.token(call.signal, call.priority));
		const answer = await sendOnce(call, token);
		if (answer.status !== 401) return answer;
		return sendOnce(call, await tokenOrFail(signIn.renew(token, call.signal, call.priority)));
	}

	return {
		sendAny: ask,
		async send(call) {
			const answer = await ask(call);
			const { status, headers, json } = answer;
			const isSuccess = status >= 200 && status < 300 && !isRefusedInBody(json);
			if (isSuccess) return answer;
			if (status === 404 && json !== undefined && 'notFoundAs' in call) {
				return { ...answer, json: call.notFoundAs };
			}
			const isOutcomeUnknown = call.method !== 'GET' && mayHaveBeenDone(status);
			if (status >= 300 && status < 400) {
				throw new PlatformError({ ...redirectFailure(headers), status, isOutcomeUnknown });
			}
			const failure = failureFrom({ ...answer, now: clock.now() });
			const message = redact(failure.message);
			throw new PlatformError({ ...failure, message, isOutcomeUnknown });
		},
	};
}

async function acquirePermit(gate: RateLimiter, scope: Scope, wish: RequestOptions) {
	try {
		return await gate.acquire(scope, wish);
	} catch (error) {
		if (!wish.signal.aborted) throw error;
		throw new PlatformError(failureOf('cancelled', 'cancelled'));
	}
}

// Without a token the request was not sent, or it was refused: however the sign-in ended, it is not done.
async function tokenOrFail(token: Promise<string>): Promise<string> {
	try {
		return await token;
	} catch (error) {
		throw withKnownOutcome(error);
	}
}

// What only reads has no outcome to be unsure of.
function withKnownOutcome(error: unknown): unknown {
	if (!(error instanceof PlatformError)) return error;
	return new PlatformError({ ...error.failure, isOutcomeUnknown: false });
}

function redirectFailure(headers: Headers): Failure {
	const target = headers.get('location') ?? '';
	const origin = URL.canParse(target) ? ` to ${new URL(target).origin}` : '';
	return {
		...failureOf('unreadable', `the platform redirects${origin}`),
		advice: 'Put the address that it redirects to into the configuration, if you trust it.',
	};
}
