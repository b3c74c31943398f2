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
	message: v.text,
	advice: v.text,
	status: v.optional(v.number),
	code: v.optional(v.text),
	/** An https address such as a payment page, which everyone who knows it can open. */
	url: v.optional(v.secret),
	retryAfter: v.optional(v.number),
	/** A person wanted it: the reads of an account fail after its sign-out. */
	isDeliberate: v.optional(v.boolean),
	isOutcomeUnknown: v.boolean,
});

export type Failure = v.ValueOf<typeof failureSchema>;
