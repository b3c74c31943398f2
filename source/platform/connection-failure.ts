import type { Failure } from '../foundation/failure.ts';
import { cleanText } from './decoding/clean.ts';
import { failureOf } from './decoding/platform-error.ts';

// Only these errors prove that nothing was sent: the host was not found, no connection was made, or the TLS
// handshake failed. After any other error, the request may have reached the platform.
const duringLookup = { during: 'getaddrinfo' };
const duringConnect = { during: 'connect' };
const duringHandshake = { during: undefined };

const notAccepted = 'the host does not accept the connection';
const notTrusted = {
	...duringHandshake,
	message: 'its certificate is not trusted here',
	advice: 'If you trust its certificate authority, name it in NODE_EXTRA_CA_CERTS.',
};

type KnownFailure = { during: string | undefined; message: string; advice?: string };

const failureByCode: Readonly<Record<string, KnownFailure>> = {
	ENOTFOUND: { ...duringLookup, message: 'host not found' },
	EAI_AGAIN: { ...duringLookup, message: 'host name lookup failed' },
	ECONNREFUSED: { ...duringConnect, message: 'nothing answers at that address' },
	EHOSTUNREACH: { ...duringConnect, message: 'no route to the host' },
	ENETUNREACH: { ...duringConnect, message: 'no network' },
	ENETDOWN: { ...duringConnect, message: 'no network' },
	ETIMEDOUT: { ...duringConnect, message: notAccepted },
	UND_ERR_CONNECT_TIMEOUT: { ...duringHandshake, message: notAccepted },
	CERT_HAS_EXPIRED: { ...duringHandshake, message: 'its certificate has expired' },
	ERR_TLS_CERT_ALTNAME_INVALID: {
		...duringHandshake,
		message: 'its certificate is for another host',
	},
	DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
	SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
};

/** Explains the error that fetch threw when it got no response. */
export function connectionFailureFrom(error: unknown): Failure {
	const cause = causeOf(error);
	const code = cause?.code ?? '';
	const knownFailure = failureByCode[code];
	if (
		knownFailure === undefined ||
		!cause?.syscalls.every(syscall => syscall === knownFailure.during)
	) {
		const message = code === '' ? 'no answer' : `the connection broke (${cleanText(code)})`;
		return failureOf('offline', message, { isOutcomeUnknown: true });
	}
	const { during: _, message, ...advice } = knownFailure;
	return failureOf('offline', message, { code, ...advice });
}

type ErrorCause = {
	code: string;
	/** The system calls that failed, one for each address that was tried. */
	syscalls: readonly (string | undefined)[];
};

function causeOf(error: unknown): ErrorCause | undefined {
	for (let current = error, depth = 0; current instanceof Error && depth < 6; depth += 1) {
		const errors: readonly unknown[] =
			current instanceof AggregateError ? current.errors : [current];
		const code = propertyText(current, 'code');
		if (code) return { code, syscalls: errors.map(one => propertyText(one, 'syscall')) };
		current = current.cause ?? errors.find(one => one !== error);
	}
	return undefined;
}

function propertyText(error: unknown, property: string): string | undefined {
	if (!(error instanceof Error)) return undefined;
	const value: unknown = Reflect.get(error, property);
	return typeof value === 'string' && value !== '' ? value : undefined;
}
