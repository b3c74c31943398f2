import { definedOnly, flagFrom, textFrom } from './decode.ts';
import { unwrapped } from './decode-envelope.ts';
import { fieldsFrom, isObject } from './fields.ts';
import type { HttpResponse } from './http.ts';
import { PlatformError, unreadable } from './platform-error.ts';

/** What an acknowledgement may say beside that it is one. */
export type Acknowledgement = { message?: string; version?: string; hasStarted?: boolean };

/** An answer of success acknowledges, whatever it holds, unless something else has answered. */
export function acknowledgementFrom(answer: HttpResponse): Acknowledgement {
	if (isWebPage(answer)) throw webPageError();
	const { value } = unwrapped(answer.json);
	if (!isObject(value)) return {};
	const fields = fieldsFrom(value, '');
	return definedOnly<Acknowledgement>({
		message: textFrom(fields.get('message')) ?? undefined,
		version: textFrom(fields.get('targetversion')) ?? undefined,
		hasStarted: flagFrom(fields.get('started')),
	});
}

// It tells nothing of whether the platform ever heard of it.
function webPageError(): PlatformError {
	const { failure } = unreadable('', 'JSON, got a web page');
	return new PlatformError({ ...failure, isOutcomeUnknown: true });
}

/** The JSON of an answer, or what it is instead. */
export function jsonBody(answer: HttpResponse): unknown {
	if (answer.json !== undefined) return answer.json;
	if (answer.text.trim() === '') throw unreadable('', 'JSON, got nothing');
	throw unreadable('', isWebPage(answer) ? 'JSON, got a web page' : 'JSON, got something else');
}

/** A proxy or a page to sign in at has answered, whatever the status says. */
export function isWebPage({ text }: HttpResponse): boolean {
	return /^\s*</.test(text);
}
