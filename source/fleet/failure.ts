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

/** What went wrong with one request, as plain data. It never contains a secret. */
export type Failure = {
	kind: FailureKind;
	/** The cleaned message of the platform, or a message of this program if there is none. */
	message: string;
	/** What a person can do about the failure. */
	advice: string;
	/** The HTTP status, if there was a response. */
	status?: number;
	/** The error code of the platform. */
	code?: string;
	/** An https address where the person can fix the problem, such as a payment page. */
	url?: string;
	/** How long the platform asks to wait, in milliseconds. */
	retryAfter?: number;
	/** Whether the request may have been carried out although no response came. */
	isOutcomeUnknown: boolean;
};
