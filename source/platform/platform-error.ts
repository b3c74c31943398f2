import type { Failure, FailureKind } from '../fleet/failure.ts';

/** The one error that this room throws. What it says is data, and holds no secret. */
export class PlatformError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		// A hostile list may hold a hundred thousand bad records. Nobody reads the stacks of these errors,
		// and to collect one takes longer than all the rest.
		const { stackTraceLimit } = Error;
		Error.stackTraceLimit = 0;
		super(failure.message);
		Error.stackTraceLimit = stackTraceLimit;
		this.name = 'PlatformError';
		this.failure = failure;
	}
}

export const advice: Readonly<Record<FailureKind, string>> = {
	auth: 'Sign in again: the e-mail, the password or the anon key was not accepted.',
	denied: 'This account may not do that. Check who owns the computer and what the plan allows.',
	missing: 'It no longer exists; it may have been deleted elsewhere.',
	limited: 'Too many requests. crowsnest continues when the platform allows it.',
	conflict:
		'The computer cannot do that in its present state, or another operation is in progress.',
	payment: 'Add a payment method or credits first. See Billing.',
	invalid: 'The platform rejected the request as invalid.',
	server: 'The platform has a problem. Try again later.',
	offline: 'Check the network, the proxy and the address of the platform.',
	unreadable: 'crowsnest does not understand the answer. Run `crowsnest doctor` for details.',
	cancelled: 'It was cancelled.',
};

export function failureOf(
	kind: FailureKind,
	message: string,
	more: Partial<Failure> = {},
): Failure {
	return { kind, message, advice: advice[kind], isOutcomeUnknown: false, ...more };
}

/** An answer that cannot be understood, with the place in it that broke. */
export function unreadable(place: string, expected: string): PlatformError {
	const where = place === '' ? 'the answer' : place;
	return new PlatformError(failureOf('unreadable', `${where}: expected ${expected}`));
}
