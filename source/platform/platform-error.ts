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
	auth: 'Sign in again: the e-mail address, the password or the anon key is not accepted.',
	denied: 'This account may not do that. Check whose computer it is and what the plan allows.',
	missing: 'It is not there. It may have been deleted elsewhere.',
	limited: 'Too many requests. It goes on by itself when the platform allows it.',
	conflict: 'The computer is not in a state for that, or something else is under way.',
	payment: 'The platform wants a payment method or credits first. See Billing.',
	invalid: 'The platform refused the request as wrong.',
	server: 'The platform has a problem of its own. Try again later.',
	offline: 'The platform cannot be reached. Check the network, the proxy and the address.',
	unreadable: 'The answer is not one this program understands. `crowsnest doctor` shows more.',
	cancelled: 'It was called off.',
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
