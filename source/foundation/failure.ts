import * as v from './schema.ts';

export const failureKind = v.oneOf([
	'auth',
	'denied',
	'missing',
	'limited',
	'conflict',
	'payment',
	'invalid',
	'server',
	'offline',
	'unreadable',
	'cancelled',
]);

export type FailureKind = v.ValueOf<typeof failureKind>;

export const failureSchema = v.object({
	kind: failureKind,
	/** The cleaned message of the platform, or a message of this program if there is none. */
	message: v.text,
	/** Advice for a person on what to do about the failure. */
	advice: v.text,
	/** The HTTP status, if there was a response. */
	status: v.optional(v.number),
	/** The error code of the platform. */
	code: v.optional(v.text),
	/**
	 * An https address where the person can fix the problem, such as a payment page. Everyone who knows the address
	 * of a payment page can open it.
	 */
	url: v.optional(v.secret),
	/** How long the platform asks to wait, in milliseconds. */
	retryAfter: v.optional(v.number),
	/** Whether a person wanted it: the reads of an account fail after its sign-out. */
	isDeliberate: v.optional(v.boolean),
	/** Whether the request may have been carried out although no response came. */
	isOutcomeUnknown: v.boolean,
});

/** The failure of one request, as plain data. */
export type Failure = v.ValueOf<typeof failureSchema>;
