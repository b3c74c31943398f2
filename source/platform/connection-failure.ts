import type { Failure } from '../foundation/failure.ts';
import { cleanText } from './decoding/clean.ts';
import { createFailure } from './decoding/platform-error.ts';

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

/** After any other error, the request may have reached the platform. */
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
	// There is a failed system call for each address that was tried.
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
