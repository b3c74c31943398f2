import type { Failure } from '../foundation/failure.ts';
import { cleanText } from './decoding/clean.ts';
import { createFailure } from './decoding/platform-error.ts';

type KnownFailure = {
	systemCall: string | undefined;
	message: string;
	advice?: string;
};

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
	const { code, message: said, systemCalls } = errorWithCode(error);
	const [, refusal] = /^Proxy response \((\d{3})\)/.exec(said) ?? [];
	if (refusal !== undefined) return proxyFailure(refusal);
	const known = failuresBeforeSending[code];
	if (!known || systemCalls.some(call => call !== known.systemCall)) {
		const message = code === '' ? 'no answer' : `the connection broke (${cleanText(code)})`;
		return createFailure('offline', message, { isOutcomeUnknown: true });
	}
	const { systemCall: _, message, ...advice } = known;
	return createFailure('offline', message, { code, ...advice });
}

function proxyFailure(status: string): Failure {
	if (status !== '407') return createFailure('offline', `the proxy refuses with ${status}`);
	return createFailure('offline', 'the proxy wants a user and a password (407)', {
		advice: 'Put them into HTTPS_PROXY: http://user:password@host:port.',
	});
}

/** There is a failed system call for each address that was tried. */
function errorWithCode(error: unknown, depth = 0) {
	const none = { code: '', message: '', systemCalls: [] };
	if (!(error instanceof Error) || depth > 5) return none;
	const attempts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
	const code = textProperty(error, 'code');
	if (code === undefined) return errorWithCode(error.cause ?? attempts[0], depth + 1);
	const systemCalls = attempts.map(attempt => textProperty(attempt, 'syscall'));
	return { code, message: error.message, systemCalls };
}

function textProperty(error: unknown, property: string): string | undefined {
	const value: unknown = error instanceof Error ? Reflect.get(error, property) : undefined;
	return typeof value === 'string' && value !== '' ? value : undefined;
}
