import type { Failure, FailureKind } from '../../foundation/failure.ts';
import type { ResponseHeaders } from '../../foundation/network.ts';
import { isObject } from '../../foundation/validate.ts';
import { rateLimitHeadersFrom } from '../../limits/limits.ts';
import { addressFrom, optionalFieldsFrom, presentFields, textFrom } from './decode.ts';
import { createFailure } from './platform-error.ts';

type RefusedResponse = {
	status: number;
	headers: ResponseHeaders;
	json: unknown;
	text: string;
	now: number;
};

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

// A proxy may have forwarded a request before it answered 408, 425 or 499, and 302 and 303 redirect to its result.
const unclearStatuses: readonly number[] = [302, 303, 408, 425, 499];

const dayMs = 86_400_000;

export function failureFrom({ status, headers, json, text, now }: RefusedResponse): Failure {
	const isOutcomeUnknown = mayHaveBeenCarriedOut(status);
	if (status >= 300 && status < 400) {
		const target = headers.get('location') ?? '';
		const origin = URL.canParse(target) ? ` to ${new URL(target).origin}` : '';
		const advice = 'If you trust that address, put it into the configuration.';
		const details = { advice, status, isOutcomeUnknown };
		return createFailure('unreadable', `the platform redirects${origin}`, details);
	}
	const field = optionalFieldsFrom(json);
	const inError = optionalFieldsFrom(field('error'));
	const said = [
		inError('message', 'msg'),
		field('errordescription'),
		field('msg', 'message'),
		field('error'),
		inError('code'),
	];
	const message = said.map(textFrom).find(each => typeof each === 'string');
	const code = textFrom(inError('code') ?? field('errorcode', 'code'));
	const { retryInMs } = rateLimitHeadersFrom(headers, now);
	return createFailure(kindFrom(status, code), message ?? messageOfPage(status, text), {
		isOutcomeUnknown,
		...presentFields<Pick<Failure, 'status' | 'code' | 'url' | 'retryAfter'>>({
			status,
			code,
			url: addressFrom(inError('portalurl') ?? field('portalurl')),
			retryAfter: retryInMs === undefined ? undefined : Math.min(Math.max(retryInMs, 0), dayMs),
		}),
	});
}

const mayHaveBeenCarriedOut = (status: number) => status >= 500 || unclearStatuses.includes(status);

function kindFrom(status: number, code: string | null | undefined): FailureKind {
	if (status < 300) return code === 'no_payment_method' ? 'payment' : 'server';
	return kindsByStatus[status] ?? (mayHaveBeenCarriedOut(status) ? 'server' : 'invalid');
}

/** Some platforms send it with status 200. */
export const bodyReportsFailure = (json: unknown): boolean =>
	isObject(json) && optionalFieldsFrom(json)('success') === false;

function messageOfPage(status: number, text: string): string {
	if (/^\s*<(!doctype|html|head|body)/i.test(text)) {
		const title = textFrom(/<title>([^<]{1,200})/i.exec(text)?.[1]);
		return `a web page instead of an answer${title ? `: ${title}` : ''} (status ${status})`;
	}
	return text.trim() === '' ? `no reason given (status ${status})` : `status ${status}`;
}
