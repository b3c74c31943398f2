import { createFetch } from 'ofetch';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Fetch, FetchInit, ResponseHeaders } from '../foundation/network.ts';
import { jsonFrom } from '../foundation/validate.ts';
import { connectionFailureFrom } from './connection-failure.ts';
import { readText, redactedJson, responseLimits } from './decoding/answer.ts';
import { bodyReportsFailure, failureFrom } from './decoding/decode-failure.ts';
import { createFailure, PlatformError } from './decoding/platform-error.ts';

export type HttpRequest = {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	headers?: Readonly<Record<string, string>>;
	body?: object | undefined;
	signal: AbortSignal;
	maxBytes?: number | undefined;
	isVisit?: boolean | undefined;
	/** The 404 must have a JSON body: a web page means that the address is wrong. */
	jsonIfNotFound?: unknown;
	onResponse?: (response: { status: number; headers: ResponseHeaders }) => void;
};

export type HttpResponse = {
	status: number;
	text: string;
	byteCount: number;
	json: unknown;
};

type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;

export type HttpOptions = {
	fetch: Fetch;
	clock: Clock;
	timeoutMs?: number | undefined;
	activity?: Activity | undefined;
	/** An error of the platform may quote the request. */
	redact?: ((text: string) => string) | undefined;
};

/** Redirects are not followed, because one could send the credentials to another server. */
export function createHttp(baseURL: string, options: HttpOptions): SendHttp {
	const { clock, timeoutMs = 15_000, activity, redact = text => text } = options;
	// Node would load its own fetch for the global `Headers`. A map has the methods that ofetch uses.
	const globals = { fetch: boundedFetch(options), Headers: Map };
	const { raw: send } = createFetch(globals as unknown as Parameters<typeof createFetch>[0]).create(
		{
			baseURL,
			headers: [
				['content-type', 'application/json'],
				['accept', 'application/json'],
			],
			retry: 0,
			redirect: 'manual',
			ignoreResponseError: true,
			parseResponse: jsonFrom,
		},
	);

	return async request => {
		const { method, path, headers, body, signal, maxBytes, isVisit, onResponse } = request;
		const timeout = new AbortController();
		const cancelTimeout = clock.after(timeoutMs, () => timeout.abort());
		const endActivity = activity?.begin();

		function failureOf(error: unknown): Failure {
			if (error instanceof PlatformError) return error.failure;
			if (signal.aborted)
				return createFailure('cancelled', 'cancelled', { isOutcomeUnknown: true });
			if (!timeout.signal.aborted) return connectionFailureFrom(error);
			const message = `no answer within ${Math.round(timeoutMs / 1000)} s`;
			return createFailure('offline', message, { isOutcomeUnknown: true });
		}

		/** A read changes nothing, so its outcome is never unknown. */
		const errorFrom = (failure: Failure) =>
			new PlatformError({
				...failure,
				isOutcomeUnknown: failure.isOutcomeUnknown && method !== 'GET',
			});

		const init = {
			method,
			headers: Object.entries(headers ?? {}),
			maxBytes,
			isVisit,
			// ofetch would look for forms in an object, for which Node loads its own fetch.
			body: body && JSON.stringify(body),
			signal: AbortSignal.any([signal, timeout.signal]),
			onRequestError({ error }: { error: unknown }) {
				throw errorFrom(failureOf(error));
			},
			onResponse({ response }: { response: object }) {
				const answer = response as BoundedResponse;
				onResponse?.(answer);
				if (isVisit) return;
				const { status, content: text, _data: json } = answer;
				if (status === 404 && json !== undefined && 'jsonIfNotFound' in request) {
					answer._data = request.jsonIfNotFound;
					return;
				}
				if (status >= 200 && status < 300 && !bodyReportsFailure(json)) return;
				const { headers } = answer;
				const redacted = redactedJson(json, text, redact);
				const failure = failureFrom({ status, headers, text, json: redacted, now: clock.now() });
				throw errorFrom({ ...failure, message: redact(failure.message) });
			},
		};
		try {
			const { status, content, byteCount, _data } = (await send(
				path,
				init,
			)) as unknown as BoundedResponse;
			return { status, text: content, byteCount, json: _data };
		} finally {
			cancelTimeout();
			endActivity?.();
		}
	};
}

/** A response that was read to its end, with the members that ofetch uses. */
type BoundedResponse = {
	status: number;
	headers: ResponseHeaders;
	body: boolean;
	content: string;
	byteCount: number;
	text: () => Promise<string>;
	_data?: unknown;
};

type ClientInit = FetchInit & {
	headers: Iterable<[string, string]>;
	maxBytes?: number;
	isVisit?: boolean;
};

function boundedFetch({ fetch }: HttpOptions) {
	return async (address: string, init: ClientInit): Promise<BoundedResponse> => {
		const requestHeaders = Object.fromEntries(init.headers);
		const { status, headers, body } = await fetch(address, { ...init, headers: requestHeaders });
		if (init.isVisit) await body?.cancel().catch(() => {});
		const { text, byteCount } = init.isVisit
			? { text: '', byteCount: 0 }
			: await readText(body, init.maxBytes ?? responseLimits.record);
		return { status, headers, body: text !== '', content: text, byteCount, text: async () => text };
	};
}
