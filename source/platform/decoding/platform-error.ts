import type { Failure, FailureKind } from '../../foundation/failure.ts';

/** The only error of this room. Its failure contains no secrets. */
export class PlatformError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'PlatformError';
		this.failure = failure;
	}
}

/** Throws any other error again. */
export function failureIn(error: unknown): Failure {
	if (error instanceof PlatformError) return error.failure;
	throw error;
}

export const adviceByKind: Readonly<Record<FailureKind, string>> = {
	auth: 'Sign in again: the e-mail, the password or the anon key was not accepted.',
	denied:
		'This account is not allowed to do that. Check who owns the computer and what the plan allows.',
	missing: 'The platform no longer has it; it may have been deleted elsewhere.',
	limited: 'crowsnest continues when the platform allows it.',
	conflict:
		'The computer cannot do that in its present state, or another operation is in progress.',
	payment: 'Add a payment method or credits first. See Billing.',
	invalid: 'The platform rejected the request as invalid.',
	server: 'The platform has a problem. Try again later.',
	offline: 'Check the network, the proxy and the address of the platform.',
	unreadable: 'crowsnest does not understand the response. Run `crowsnest doctor` for details.',
	cancelled: 'The request was cancelled.',
};

export function createFailure(
	kind: FailureKind,
	message: string,
	details: Partial<Failure> = {},
): Failure {
	return { kind, message, advice: adviceByKind[kind], isOutcomeUnknown: false, ...details };
}

export function unreadableError(path: string, expected: string): PlatformError {
	const place = path === '' ? 'the answer' : path;
	return new PlatformError(createFailure('unreadable', `${place}: expected ${expected}`));
}

/** The unread part of the response would have said whether the request was carried out. */
export function tooLargeError(bound: string): PlatformError {
	const message = `the answer: expected ${bound}`;
	return new PlatformError(createFailure('unreadable', message, { isOutcomeUnknown: true }));
}
