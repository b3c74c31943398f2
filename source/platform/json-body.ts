import { booleanFrom, textFrom, withoutUndefinedFields } from './decoding/decode.ts';
import { unwrapEnvelope } from './decoding/decode-envelope.ts';
import { fieldsFrom, isObject } from './decoding/fields.ts';
import { PlatformError, unreadableError } from './decoding/platform-error.ts';
import type { HttpResponse } from './http.ts';

/** The response to an operation. A platform may omit any of these fields. */
export type Acknowledgement = { message?: string; version?: string; hasStarted?: boolean };

/**
 * Reads a successful response. Any body confirms success, except a web page, which did not come from the
 * platform.
 */
export function acknowledgementFrom(response: HttpResponse): Acknowledgement {
	if (isWebPage(response)) throw webPageError();
	const { value } = unwrapEnvelope(response.json);
	if (!isObject(value)) return {};
	const fields = fieldsFrom(value, '');
	return withoutUndefinedFields<Acknowledgement>({
		message: textFrom(fields.get('message')) ?? undefined,
		version: textFrom(fields.get('targetversion')) ?? undefined,
		hasStarted: booleanFrom(fields.get('started')),
	});
}

/** The outcome is unknown: a web page does not show whether the request reached the platform. */
function webPageError(): PlatformError {
	const { failure } = unreadableError('', 'JSON, got a web page');
	return new PlatformError({ ...failure, isOutcomeUnknown: true });
}

/** Returns the JSON of a response. Throws if the body is not JSON. */
export function jsonBody(response: HttpResponse): unknown {
	if (response.json !== undefined) return response.json;
	if (response.text.trim() === '') throw unreadableError('', 'JSON, got nothing');
	throw unreadableError(
		'',
		isWebPage(response) ? 'JSON, got a web page' : 'JSON, got something else',
	);
}

/**
 * Whether the response is a web page, such as the error page of a proxy. A web page may arrive with any status.
 */
function isWebPage({ text }: HttpResponse): boolean {
	return /^\s*</.test(text);
}
