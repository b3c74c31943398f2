import { createFetch } from 'ofetch';
import type { Activity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Fetch } from '../fleet/network.ts';
import { byteBounds, dropBody, textFrom } from './body.ts';
import { connectionFailureFrom } from './connection-failure.ts';
import { failureOf, PlatformError } from './platform-error.ts';

export type HttpRequest = {
	method: 'GET' | 'POST' | 'DELETE';
	url: string;
	headers: Readonly<Record<string, string>>;
	body?: object | undefined;
	signal: AbortSignal;
	/** Its answer is known by the headers: what follows may be large, or have no end. */
	isHeadersOnly?: boolean | undefined;
	/** How many bytes its answer may have. */
	mostBytes?: number | undefined;
};

export type HttpResponse = {
	status: number;
	headers: Headers;
	/** Empty when only the headers were wanted. */
	text: string;
	/** Undefined when the body is not JSON. */
	json: unknown;
};

/** Sends one request and reads its answer, whatever its status. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * One request, once: nothing is retried here, a redirect is not followed (credentials would follow
 * it), and the time limit holds until the last byte of the answer. ofetch's own time limit cannot do
 * that: it is not used when there is a signal, and it ends with the headers.
 */
export function createHttp(options: {
	fetch: Fetch;
	clock: Clock;
	timeout: number;
	/** Counts each request until its answer was read. */
	activity?: Activity | undefined;
}): Http {
	const { clock, timeout, activity } = options;
	const send = createFetch({ fetch: options.fetch }).raw;

	return async ({ method, url, headers, body, signal, isHeadersOnly, mostBytes }) => {
		const limit = new AbortController();
		const callOff = clock.after(timeout, () => limit.abort());
		const end = activity?.begin();
		try {
			const response = await send(url, {
				method,
				body: body === undefined ? undefined : JSON.stringify(body),
				headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
				signal: AbortSignal.any([signal, limit.signal]),
				retry: false,
				redirect: 'manual',
				responseType: 'stream',
				ignoreResponseError: true,
			});
			if (isHeadersOnly) await dropBody(response.body);
			const text = isHeadersOnly
				? ''
				: await textFrom(response.body, mostBytes ?? byteBounds.record);
			return { status: response.status, headers: response.headers, text, json: parsed(text) };
		} catch (error) {
			if (error instanceof PlatformError) throw error;
			throw new PlatformError(failureToConnect(error, signal, limit.signal, timeout));
		} finally {
			callOff();
			end?.();
		}
	};
}

function failureToConnect(
	error: unknown,
	signal: AbortSignal,
	limit: AbortSignal,
	timeout: number,
) {
	if (signal.aborted) return failureOf('cancelled', 'cancelled', { isOutcomeUnknown: true });
	if (limit.aborted) {
		const said = `no answer within ${Math.round(timeout / 1000)} s`;
		return failureOf('offline', said, { isOutcomeUnknown: true });
	}
	return connectionFailureFrom(error instanceof Error && error.cause ? error.cause : error);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
