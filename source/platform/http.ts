import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { constants, createGunzip } from 'node:zlib';
import { createFetch } from 'ofetch';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Fetch, FetchInit, FetchResponse, ResponseHeaders } from '../foundation/network.ts';
import { jsonFrom } from '../foundation/schema.ts';
import { readText, redactedJson, responseLimits } from './decoding/answer.ts';
import {
	bodyReportsFailure,
	connectionFailureFrom,
	failureFrom,
} from './decoding/decode-failure.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';

export type HttpRequest = {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	headers?: Readonly<Record<string, string>>;
	body?: object;
	signal: AbortSignal;
	maxBytes?: number;
	isVisit?: boolean;
	/** The 404 must have a JSON body: a web page means that the address is wrong. */
	jsonIfNotFound?: unknown;
	onResponse?: (response: { status: number; headers: ResponseHeaders }) => void;
};

export type HttpResponse = {
	status: number;
	/** As it came; it may quote secrets. */
	text: string;
	byteCount: number;
	json: unknown;
};

export type HttpOptions = {
	fetch: Fetch;
	clock: Clock;
	timeoutMs?: number;
	activity?: Activity;
	redact?: (text: string) => string;
};

/** Redirects are not followed, because one could send the credentials to another server. */
export function createHttp(baseURL: string, options: HttpOptions) {
	const { clock, timeoutMs = 15_000, activity, redact = text => text } = options;
	// Node would load its own fetch for the global `Headers`. A map has the methods that ofetch uses.
	const globals = { fetch: boundedFetch(options.fetch), Headers: Map };
	const client = createFetch(globals as unknown as Parameters<typeof createFetch>[0]).create({
		baseURL,
		headers: [
			['content-type', 'application/json'],
			['accept', 'application/json'],
		],
		retry: 0,
		redirect: 'manual',
		ignoreResponseError: true,
		parseResponse: jsonFrom,
	});

	return async (request: HttpRequest): Promise<HttpResponse> => {
		const { method, path, headers = {}, body, signal, maxBytes, isVisit } = request;
		const timeout = new AbortController();
		const cancelTimeout = clock.after(timeoutMs, () => timeout.abort());
		const endActivity = activity?.begin();

		/** A read changes nothing, so its outcome is never unknown. */
		const errorFrom = ({ isOutcomeUnknown, ...failure }: Failure) =>
			new PlatformError({ ...failure, isOutcomeUnknown: isOutcomeUnknown && method !== 'GET' });

		function failureWithoutResponse(error: unknown): Failure {
			const isOutcomeUnknown = true;
			if (error instanceof PlatformError) return error.failure;
			if (signal.aborted) return createFailure('cancelled', 'cancelled', { isOutcomeUnknown });
			if (!timeout.signal.aborted) return connectionFailureFrom(error);
			const message = `no answer within ${Math.round(timeoutMs / 1000)} s`;
			return createFailure('offline', message, { isOutcomeUnknown });
		}

		const init = {
			method,
			headers: Object.entries(headers),
			maxBytes,
			isVisit,
			// ofetch would look for forms in an object, for which Node loads its own fetch.
			body: body && JSON.stringify(body),
			signal: AbortSignal.any([signal, timeout.signal]),
			onRequestError({ error }: { error: unknown }) {
				throw errorFrom(failureWithoutResponse(error));
			},
		};
		try {
			const response = (await client.raw(path, init)) as unknown as BoundedResponse;
			request.onResponse?.(response);
			const { status, content: text, byteCount } = response;
			// A key that came while a long answer was parsed goes first.
			await setImmediate();
			const json = redactedJson(response._data, text, redact);
			const answer = { status, text, byteCount, json };
			if (isVisit || (status >= 200 && status < 300 && !bodyReportsFailure(json))) return answer;
			if (status === 404 && json !== undefined && 'jsonIfNotFound' in request)
				return { ...answer, json: request.jsonIfNotFound };
			const { headers } = response;
			const failure = failureFrom({ status, headers, text, json, now: clock.now() });
			throw errorFrom({ ...failure, message: redact(failure.message) });
		} finally {
			cancelTimeout();
			endActivity?.();
		}
	};
}

type BoundedResponse = {
	status: number;
	headers: ResponseHeaders;
	body: true;
	content: string;
	byteCount: number;
	text: () => Promise<string>;
	_data?: unknown;
};

type ClientInit = FetchInit &
	Pick<HttpRequest, 'maxBytes' | 'isVisit'> & { headers: Iterable<[string, string]> };

const boundedFetch =
	(fetch: Fetch) =>
	async (address: string, init: ClientInit): Promise<BoundedResponse> => {
		const requestHeaders = Object.fromEntries(init.headers);
		const { status, headers, body } = await fetch(address, { ...init, headers: requestHeaders });
		if (init.isVisit) await body?.cancel().catch(() => {});
		const { text, byteCount } = await readText(
			init.isVisit ? null : body,
			init.maxBytes ?? responseLimits.record,
		);
		return { status, headers, body: true, content: text, byteCount, text: async () => text };
	};

// A server closes a connection that was idle for longer, and whether a request on its way was carried out is unknown.
const idleTimeoutMs = 4_000;

// Shorter than the timeout of a request, so that the failure can say that nothing was sent.
const connectTimeoutMs = 10_000;

/** Compiling Node's global `fetch` takes longer than all else that `crowsnest list` does. */
export function createDirectFetch(clock: Clock, userAgent: string): Fetch {
	const plainAgent = new Agent({ keepAlive: true, timeout: idleTimeoutMs });
	const secureAgent = new SecureAgent({ keepAlive: true, timeout: idleTimeoutMs });

	return async (address, { method, headers, body, signal }) => {
		const url = new URL(address);
		return new Promise((resolve, reject) => {
			const options = {
				method,
				signal,
				headers: {
					'user-agent': userAgent,
					'accept-encoding': 'gzip',
					...headers,
					...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
				},
			};
			const request =
				url.protocol === 'https:'
					? httpsRequest(url, { ...options, agent: secureAgent })
					: httpRequest(url, { ...options, agent: plainAgent });
			limitConnecting(request, clock);
			request.once('response', response => resolve(responseFrom(response)));
			request.once('upgrade', (_, socket) => {
				socket.destroy();
				reject(new Error('the server switches to another protocol'));
			});
			request.on('error', reject);
			request.end(body);
		});
	};
}

function limitConnecting(request: ClientRequest, clock: Clock): void {
	request.once('socket', socket => {
		if (!socket.connecting) return;
		const cancel = clock.after(connectTimeoutMs, () => {
			const error = new Error('no connection in time');
			request.destroy(Object.assign(error, { code: 'UND_ERR_CONNECT_TIMEOUT' }));
		});
		socket.once('encrypted' in socket ? 'secureConnect' : 'connect', cancel);
		request.once('close', cancel);
	});
}

function responseFrom(response: IncomingMessage): FetchResponse {
	const { statusCode = 0, headersDistinct } = response;
	const stream = decoded(response);
	// Without a listener, an error before the first read would end the program.
	stream.on('error', () => {});
	return {
		status: statusCode,
		headers: { get: name => headersDistinct[name]?.join(', ') ?? null },
		body: {
			[Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
			async cancel() {
				stream.destroy();
			},
		},
	};
}

// Of data that ends too early, the beginning is decoded: incomplete JSON, which is refused.
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

function decoded(response: IncomingMessage): Readable {
	const isCompressed = /^(x-)?gzip$/i.test(response.headers['content-encoding'] ?? '');
	return isCompressed ? pipeline(response, createGunzip(lenient), () => {}) : response;
}
