import type { Failure, FailureKind } from '../../foundation/failure.ts';
import type { ResponseHeaders } from '../../foundation/network.ts';
import { isObject } from '../../foundation/validate.ts';
import { rateLimitHeadersFrom } from '../../limits/rate-limit-headers.ts';
import {
	addressFrom,
	type Fields,
	fieldsFrom,
	nestedFields,
	presentFields,
	textFrom,
} from './decode.ts';
import { createFailure } from './platform-error.ts';

type RefusedResponse = {
	status: number;
	headers: ResponseHeaders;
	json: unknown;
	text: string;
	now: number;
};

export function failureFrom({ status, headers, json, text, now }: RefusedResponse): Failure {
	const isOutcomeUnknown = mayHaveBeenCarriedOut(status);
	if (status >= 300 && status < 400) {
		const target = headers.get('location') ?? '';
		const origin = URL.canParse(target) ? ` to ${new URL(target).origin}` : '';
		const advice = 'If you trust that address, put it into the configuration.';
		const details = { advice, status, isOutcomeUnknown };
		return createFailure('unreadable', `the platform redirects${origin}`, details);
	}
	const fields = fieldsFrom(isObject(json) ? json : {});
	const errorFields = nestedFields(fields, 'error');
	const message = messageFrom(fields, errorFields) ?? fallbackMessage(status, text);
	return createFailure(kindFrom(status, fields), message, {
		isOutcomeUnknown,
		...presentFields<Pick<Failure, 'status' | 'code' | 'url' | 'retryAfter'>>({
			status,
			code: textFrom(errorFields.get('code') ?? fields.get('errorcode', 'code')),
			url: addressFrom(errorFields.get('portalurl') ?? fields.get('portalurl')),
			retryAfter: retryAfterFrom(headers, now),
		}),
	});
}

/** Some platforms send it with status 200. */
export function bodyReportsFailure(json: unknown): boolean {
	return isObject(json) && fieldsFrom(json).get('success') === false;
}

// A proxy may have forwarded a request before it answered 408, 425 or 499, and 302 and 303 redirect to its result.
const unclearStatuses: readonly number[] = [302, 303, 408, 425, 499];

function mayHaveBeenCarriedOut(status: number): boolean {
	return status >= 500 || unclearStatuses.includes(status);
}

const kindsByStatus: Readonly<Record<number, FailureKind>> = {
	400: 'invalid',
	401: 'auth',
	402: 'payment',
	403: 'denied',
	404: 'missing',
	409: 'conflict',
	410: 'missing',
	422: 'invalid',
	423: 'conflict',
	429: 'limited',
};

function kindFrom(status: number, fields: Fields): FailureKind {
	const kindOfStatus = kindsByStatus[status];
	if (kindOfStatus) return kindOfStatus;
	if (mayHaveBeenCarriedOut(status)) return 'server';
	if (status >= 400) return 'invalid';
	return fields.get('code') === 'no_payment_method' ? 'payment' : 'server';
}

function messageFrom(fields: Fields, errorFields: Fields): string | undefined {
	const candidates = [
		errorFields.get('message', 'msg'),
		fields.get('errordescription'),
		fields.get('msg', 'message'),
		fields.get('error'),
		errorFields.get('code'),
	];
	return candidates.map(textFrom).find(text => typeof text === 'string') ?? undefined;
}

function fallbackMessage(status: number, text: string): string {
	if (/^\s*<(!doctype|html|head|body)/i.test(text)) {
		const title = textFrom(/<title>([^<]{1,200})/i.exec(text)?.[1]);
		return `a web page instead of an answer${title ? `: ${title}` : ''} (status ${status})`;
	}
	return text.trim() === '' ? `no reason given (status ${status})` : `status ${status}`;
}

const dayMs = 86_400_000;

function retryAfterFrom(headers: ResponseHeaders, now: number): number | undefined {
	const { retryInMs } = rateLimitHeadersFrom(headers, now);
	return retryInMs === undefined ? undefined : Math.min(Math.max(retryInMs, 0), dayMs);
}
