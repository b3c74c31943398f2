import type { Failure } from '../../foundation/failure.ts';
import { adviceByKind as usualAdvice } from '../../platform/decoding/platform-error.ts';
import type { LoginAnswers, LoginField } from './fields.ts';

/** The explanation of a refused sign-in, and the fields to ask for again. */
export type LoginRefusal = { fields: readonly LoginField[]; message: string; advice: string };

export type LoginStep = 'identity' | 'platform';

/** Explains a failed sign-in. The step says which of the two servers failed. */
export function loginRefusalFrom(
	failure: Failure,
	step: LoginStep,
	answers: Pick<LoginAnswers, 'url' | 'authUrl'>,
): LoginRefusal {
	const {
		fields,
		message,
		advice = failure.advice,
	} = (step === 'identity' ? identityRefusal : platformRefusal)(
		failure,
		new URL(step === 'identity' ? answers.authUrl : answers.url),
	);
	return { fields, message, advice };
}

type LoginRefusalText = Omit<LoginRefusal, 'advice'> & { advice?: string | undefined };

function identityRefusal(failure: Failure, { host }: URL): LoginRefusalText {
	const { kind, status, message } = failure;
	const fields: readonly LoginField[] = ['authUrl'];
	if (kind === 'offline') {
		const advice = 'Check the identity URL, the network and the proxy.';
		return {
			fields,
			message: `${host}: ${message}.`,
			advice: hasUsualAdvice(failure) ? advice : undefined,
		};
	}
	if (kind === 'limited') {
		const advice = 'Wait a few minutes before you try again.';
		return { fields: [], message: `${host} allows no more sign-ins for now: ${message}.`, advice };
	}
	if (kind === 'auth' && status === undefined) {
		return { fields: ['password'], message: `${message}.` };
	}
	if (kind === 'auth' && (status === 401 || status === 403)) {
		const advice = 'Check the anon key, and that it belongs to this identity URL.';
		return { fields: ['anonKey'], message: `${host} refuses the anon key: ${message}.`, advice };
	}
	if (kind === 'auth') {
		const advice = 'Check the e-mail address and the password: either may be wrong.';
		const text = `${host} refuses this e-mail address with this password: ${message}.`;
		return { fields: ['email', 'password'], message: text, advice };
	}
	if (kind === 'missing' || kind === 'unreadable') {
		const advice = 'Check the identity URL: it is the part before /auth/v1/token.';
		return {
			fields,
			message: `${host} answers, but not as an identity provider: ${message}.`,
			advice,
		};
	}
	return { fields: [], message: `${host}: ${message}.` };
}

function platformRefusal(failure: Failure, { host }: URL): LoginRefusalText {
	const { kind, message } = failure;
	const fields: readonly LoginField[] = ['url'];
	if (kind === 'offline') {
		const advice = 'The sign-in worked. Check the base URL, the network and the proxy.';
		return {
			fields,
			message: `${host}: ${message}.`,
			advice: hasUsualAdvice(failure) ? advice : undefined,
		};
	}
	if (kind === 'auth') {
		const advice = 'Check that the base URL and the identity URL belong together.';
		const text = `The sign-in worked, but ${host} does not accept its token: ${message}.`;
		return { fields: ['url', 'authUrl', 'anonKey'], message: text, advice };
	}
	if (kind === 'missing' || kind === 'unreadable') {
		const advice = 'Check the base URL: it ends in /v1, the part before /platform/sandbox.';
		const text = `The sign-in worked, but ${host} does not answer as the platform: ${message}.`;
		return { fields, message: text, advice };
	}
	return { fields: [], message: `The sign-in worked, but ${host}: ${message}.` };
}

// A certificate failure has more precise advice of its own, which must not be replaced.
const hasUsualAdvice = (failure: Failure) => failure.advice === usualAdvice.offline;
