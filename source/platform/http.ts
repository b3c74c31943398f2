import { setImmediate } from 'node:timers/promises';
import { createFetch } from 'ofetch';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Fetch, FetchInit, ResponseHeaders } from '../foundation/network.ts';
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
	body?: object | undefined;
	signal: AbortSignal;
	maxBytes?: number | undefined;
	/** Only the status of the answer counts, and its body is not read. */
	isVisit?: boolean | undefined;
	/** The 404 must have a JSON body: a web page means that the address is wrong. */
	jsonIfNotFound?: unknown;
	onResponse?: (response: { status: number; headers: ResponseHeaders }) => void;
};

export type HttpResponse = {
	status: number;
	/** As it came; it may quote secrets. */
	text: string;
	byteCount: number;
	/** Without the secrets that it quoted. */
	json: unknown;
};

export type HttpOptions = {
	fetch: Fetch;
	clock: Clock;
	timeoutMs?: number | undefined;
	activity?: Activity | undefined;
	/** The platform may quote the request. */
	redact?: ((text: string) => string) | undefined;
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

/** A response that was read to its end, with the members that ofetch uses. */
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
