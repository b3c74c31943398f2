import type { Failure } from '../fleet/failure.ts';
import { cleanText } from './clean.ts';
import { failureOf } from './platform-error.ts';

// These end a connection before a request was sent on it, so nothing can have been done.
const unsent: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing answers at that address',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'the name of the host cannot be looked up now',
	EHOSTUNREACH: 'there is no way to that host',
	ENETUNREACH: 'there is no network',
	ENETDOWN: 'there is no network',
	UND_ERR_CONNECT_TIMEOUT: 'the host does not take the connection',
	ETIMEDOUT: 'the host does not take the connection',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted here',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted here',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted here',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted here',
};

const certificates = 'Name the certificate authority in NODE_EXTRA_CA_CERTS if you trust it.';

/** Why no answer came, from what fetch threw. */
export function connectionFailureFrom(error: unknown): Failure {
	const code = codeOf(error);
	const known = unsent[code];
	if (known === undefined) {
		const said = code === '' ? 'no answer came' : `the connection broke (${cleanText(code)})`;
		return failureOf('offline', said, { isOutcomeUnknown: true });
	}
	const more = known.includes('trusted') ? { advice: certificates } : {};
	return failureOf('offline', known, { code, ...more });
}

function codeOf(error: unknown): string {
	for (let each = error, depth = 0; each instanceof Error && depth < 6; depth += 1) {
		const first = each instanceof AggregateError ? each.errors[0] : undefined;
		const code = 'code' in each ? each.code : undefined;
		if (typeof code === 'string' && code !== '') return code;
		each = each.cause ?? first;
	}
	return '';
}
