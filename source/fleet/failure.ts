export type FailureKind =
	| 'auth'
	| 'denied'
	| 'missing'
	| 'limited'
	| 'conflict'
	| 'payment'
	| 'invalid'
	| 'server'
	| 'offline'
	| 'unreadable'
	| 'cancelled';

/** What went wrong with one request, as plain data. No secret is ever in it. */
export type Failure = {
	kind: FailureKind;
	/** What the platform said, cleaned; or what is known when it said nothing. */
	message: string;
	/** What a person can do about it. */
	advice: string;
	/** The HTTP status, when there was an answer. */
	status?: number;
	/** The platform's own code for it. */
	code?: string;
	/** An https address where it can be put right, such as a payment page. */
	url?: string;
	/** Milliseconds that the platform asked to wait. */
	retryAfter?: number;
	/** True when the request may have been carried out although no answer came. */
	isOutcomeUnknown: boolean;
};
