import { createFetch } from 'ofetch';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Fetch, FetchInit, ResponseHeaders } from '../foundation/network.ts';
import { discardBody, readBody, responseLimits } from './decoding/body.ts';
import { cleanText } from './decoding/clean.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';

export type HttpRequest = {
	method: 'GET' | 'POST' | 'DELETE';
	url: string;
	headers: Readonly<Record<string, string>>;
	body?: object | undefined;
	signal: AbortSignal;
	/** Skips the body, which may be large or endless. Only the status and the headers are returned. */
	skipsBody?: boolean | undefined;
	/** The largest accepted response, in bytes. */
	maxBytes?: number | undefined;
	/** Removes secrets from a text of the response. */
	redact?: ((text: string) => string) | undefined;
	/** Converts each element of a long list in the response. */
	convertElement?: ((element: unknown) => unknown) | undefined;
};

export type HttpResponse = {
	status: number;
	headers: ResponseHeaders;
	/** The body as text. The elements of long lists are missing, because they are parsed one after another; see `json`. */
	text: string;
	/** The length of the whole body in bytes. */
	byteCount: number;
	/** The parsed body; undefined if the body is not JSON. */
	json: unknown;
};

/** Sends one request and returns its response, also if the status is an error. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Each request is sent exactly once, without retries. Redirects are not followed, because a redirect could send
 * the credentials to another server. The timeout includes reading the body. (The timeout of ofetch covers only
 * the headers, and ofetch has no timeout if the request has a signal.)
 */
export function createHttpSender(options: {
	fetch: Fetch;
	clock: Clock;
	timeoutMs: number;
	/** Counts the requests whose response has not been read yet. */
	activity?: Activity | undefined;
	/** Resolves in the next turn of the event loop. If absent, a long response is read in one turn. */
	nextTurn?: (() => Promise<void>) | undefined;
}): SendHttp {
	const { clock, timeoutMs, activity, nextTurn } = options;
	const send = createClient(options.fetch);

	return async request => {
		const { method, url, headers, body, signal } = request;
		const timeoutController = new AbortController();
		const either = AbortSignal.any([signal, timeoutController.signal]);
		const cancelTimeout = clock.after(timeoutMs, () => timeoutController.abort());
		const endActivity = activity?.begin();
		try {
			const response = await send(url, {
				method,
				body: body === undefined ? undefined : JSON.stringify(body),
				headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
				signal: either,
				retry: false,
				redirect: 'manual',
				responseType: 'stream',
				ignoreResponseError: true,
			});
			const { status, headers: responseHeaders } = response;
			if (request.skipsBody) {
				await discardBody(response.body);
				return { status, headers: responseHeaders, text: '', byteCount: 0, json: undefined };
			}
			const { maxBytes = responseLimits.record, redact, convertElement } = request;
			const content = await readBody(response.body, {
				...{ maxBytes, redact, convertElement, nextTurn },
				signal: either,
			});
			return { status, headers: responseHeaders, ...content };
		} catch (error) {
			if (error instanceof PlatformError) throw error;
			throw new PlatformError(failureOfRequest(error, signal, timeoutController.signal, timeoutMs));
		} finally {
			cancelTimeout();
			endActivity?.();
		}
	};
}

/** The headers of a request, with the methods of `Headers` that ofetch uses. */
class RequestHeaders extends Map<string, string> {
	constructor(headers: Readonly<Record<string, string>>) {
		super(Object.entries(headers));
	}
}

/**
 * Creates a client that sends its requests with `fetch`. It does not use the global `Headers`, because reading it
 * would load all of Node's fetch.
 */
function createClient(fetch: Fetch) {
	const send = (address: string, init: FetchInit & { headers: Iterable<[string, string]> }) =>
		fetch(address, { ...init, headers: Object.fromEntries(init.headers) });
	const globals = { fetch: send, Headers: RequestHeaders };
	return createFetch(globals as unknown as Parameters<typeof createFetch>[0]).raw;
}

function failureOfRequest(
	error: unknown,
	signal: AbortSignal,
	timeoutSignal: AbortSignal,
	timeoutMs: number,
) {
	if (signal.aborted) return createFailure('cancelled', 'cancelled', { isOutcomeUnknown: true });
	if (timeoutSignal.aborted) {
		const message = `no answer within ${Math.round(timeoutMs / 1000)} s`;
		return createFailure('offline', message, { isOutcomeUnknown: true });
	}
	return connectionFailureFrom(error instanceof Error && error.cause ? error.cause : error);
}

// Only these errors prove that nothing was sent: the host was not found, no connection was made, or the TLS
// handshake failed. After any other error, the request may have reached the platform.
const duringLookup = { systemCall: 'getaddrinfo' };
const duringConnect = { systemCall: 'connect' };
const duringHandshake = { systemCall: undefined };

const notAccepted = 'the host does not accept the connection';
const notTrusted = {
	...duringHandshake,
	message: 'its certificate is not trusted here',
	advice: 'If you trust its certificate authority, name it in NODE_EXTRA_CA_CERTS.',
};

type KnownFailure = { systemCall: string | undefined; message: string; advice?: string };

const failureByCode: Readonly<Record<string, KnownFailure>> = {
	ENOTFOUND: { ...duringLookup, message: 'host not found' },
	EAI_AGAIN: { ...duringLookup, message: 'host name lookup failed' },
	ECONNREFUSED: { ...duringConnect, message: 'nothing answers at that address' },
	EHOSTUNREACH: { ...duringConnect, message: 'no route to the host' },
	ENETUNREACH: { ...duringConnect, message: 'no network' },
	ENETDOWN: { ...duringConnect, message: 'no network' },
	ETIMEDOUT: { ...duringConnect, message: notAccepted },
	UND_ERR_CONNECT_TIMEOUT: { ...duringHandshake, message: notAccepted },
	CERT_HAS_EXPIRED: { ...duringHandshake, message: 'its certificate has expired' },
	ERR_TLS_CERT_ALTNAME_INVALID: {
		...duringHandshake,
		message: 'its certificate is for another host',
	},
	DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
	SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
};

/** Explains the error that fetch threw when it got no response. */
export function connectionFailureFrom(error: unknown): Failure {
	const cause = causeOf(error);
	if (cause?.refusal !== undefined) return proxyFailure(cause.refusal);
	const code = cause?.code ?? '';
	const knownFailure = failureByCode[code];
	if (
		knownFailure === undefined ||
		!cause?.syscalls.every(syscall => syscall === knownFailure.systemCall)
	) {
		const message = code === '' ? 'no answer' : `the connection broke (${cleanText(code)})`;
		return createFailure('offline', message, { isOutcomeUnknown: true });
	}
	const { systemCall: _, message, ...advice } = knownFailure;
	return createFailure('offline', message, { code, ...advice });
}

/** The proxy refused to open a connection, so nothing was sent. */
function proxyFailure(status: string): Failure {
	if (status !== '407') return createFailure('offline', `the proxy refuses with ${status}`);
	return createFailure('offline', 'the proxy wants a user and a password (407)', {
		advice: 'Put them into HTTPS_PROXY: http://user:password@host:port.',
	});
}

type ErrorCause = {
	code: string;
	/** The status with which a proxy refused to open the connection. */
	refusal: string | undefined;
	/** The system calls that failed, one for each address that was tried. */
	syscalls: readonly (string | undefined)[];
};

function causeOf(error: unknown): ErrorCause | undefined {
	for (let current = error, depth = 0; current instanceof Error && depth < 6; depth += 1) {
		const errors: readonly unknown[] =
			current instanceof AggregateError ? current.errors : [current];
		const code = propertyText(current, 'code');
		if (code) {
			const [, refusal] = /^Proxy response \((\d{3})\)/.exec(current.message) ?? [];
			return { code, refusal, syscalls: errors.map(one => propertyText(one, 'syscall')) };
		}
		current = current.cause ?? errors.find(one => one !== error);
	}
	return undefined;
}

function propertyText(error: unknown, property: string): string | undefined {
	if (!(error instanceof Error)) return undefined;
	const value: unknown = Reflect.get(error, property);
	return typeof value === 'string' && value !== '' ? value : undefined;
}
