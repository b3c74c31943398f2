import { dayMs } from '../../foundation/duration.ts';
import type { Failure, FailureKind } from '../../foundation/failure.ts';
import type { ResponseHeaders } from '../../foundation/network.ts';
import { isObject } from '../../foundation/schema.ts';
import { rateLimitHeadersFrom } from '../../limits/limits.ts';
import { cleanText } from './clean.ts';
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

// A proxy may have forwarded the request before 408, 425 or 499; 302 and 303 redirect to its result.
const unclearStatuses: readonly number[] = [302, 303, 408, 425, 499];

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

type KnownFailure = { systemCall: string | undefined; message: string; advice?: string };

const lookup = { systemCall: 'getaddrinfo' };
const connect = { systemCall: 'connect' };
const handshake = { systemCall: undefined };
const notAccepted = 'the host does not accept the connection';
const notTrusted = {
	...handshake,
	message: 'its certificate is not trusted here',
	advice: 'If you trust its certificate authority, name it in NODE_EXTRA_CA_CERTS.',
};

export const failuresBeforeSending: Readonly<Record<string, KnownFailure>> = {
	ENOTFOUND: { ...lookup, message: 'host not found' },
	EAI_AGAIN: { ...lookup, message: 'host name lookup failed' },
	ECONNREFUSED: { ...connect, message: 'nothing answers at that address' },
	EHOSTUNREACH: { ...connect, message: 'no route to the host' },
	ENETUNREACH: { ...connect, message: 'no network' },
	ENETDOWN: { ...connect, message: 'no network' },
	ETIMEDOUT: { ...connect, message: notAccepted },
	UND_ERR_CONNECT_TIMEOUT: { ...handshake, message: notAccepted },
	CERT_HAS_EXPIRED: { ...handshake, message: 'its certificate has expired' },
	ERR_TLS_CERT_ALTNAME_INVALID: { ...handshake, message: 'its certificate is for another host' },
	DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
	SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
};

/** The error itself stays here, because it may contain the token. */
export function connectionFailureFrom(error: unknown): Failure {
	const coded = codedErrorIn(error);
	const [, refusal] = /^Proxy response \((\d{3})\)/.exec(coded?.message ?? '') ?? [];
	if (refusal !== undefined) return proxyFailure(refusal);
	const code = coded?.code ?? '';
	const known = failuresBeforeSending[code];
	// One for each address that was tried.
	const attempts: readonly CodedError[] = coded instanceof AggregateError ? coded.errors : [coded];
	if (!known || attempts.some(attempt => attempt.syscall !== known.systemCall)) {
		const message = code === '' ? 'no answer' : `the connection broke (${cleanText(code)})`;
		return createFailure('offline', message, { isOutcomeUnknown: true });
	}
	const { systemCall: _, message, ...advice } = known;
	return createFailure('offline', message, { code, ...advice });
}

type CodedError = Error & { code: string; syscall?: string };

function codedErrorIn(error: unknown): CodedError | undefined {
	if (!(error instanceof Error)) return undefined;
	const hasCode = 'code' in error && typeof error.code === 'string';
	return hasCode ? (error as CodedError) : codedErrorIn(error.cause);
}

function proxyFailure(status: string): Failure {
	if (status !== '407') return createFailure('offline', `the proxy refuses with ${status}`);
	return createFailure('offline', 'the proxy wants a user and a password (407)', {
		advice: 'Put them into HTTPS_PROXY: http://user:password@host:port.',
	});
}
