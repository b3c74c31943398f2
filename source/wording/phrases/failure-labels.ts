import type { FailureKind } from '../../foundation/failure.ts';

/** Says in a word or two what went wrong. */
export const failureLabels: Readonly<Record<FailureKind, string>> = {
	auth: 'signed out',
	denied: 'no access',
	missing: 'not found',
	limited: 'rate limited',
	conflict: 'conflict',
	payment: 'payment needed',
	invalid: 'request refused',
	server: 'platform error',
	offline: 'offline',
	unreadable: 'unreadable answer',
	cancelled: 'cancelled',
};

/** The same in one short word, where a label of two words would be cut. */
export const shortFailureLabels: Partial<Record<FailureKind, string>> = {
	limited: 'limited',
	invalid: 'refused',
	server: 'failing',
	unreadable: 'unreadable',
};
