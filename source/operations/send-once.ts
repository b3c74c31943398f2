import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { Acceptance } from './operation-row.ts';

/** How one request ended. */
export type SendResult =
	| { end: 'accepted'; acceptance: Acceptance }
	/** The platform refused it and said why. */
	| { end: 'refused'; failure: Failure }
	/** The rate limit refused it, so it may be sent again. */
	| { end: 'limited'; failure: Failure }
	/** It was sent, and no response says whether it was carried out. */
	| { end: 'lost'; failure: Failure }
	/** It was cancelled or held back before it was sent. */
	| { end: 'unsent' };

type SendOptions = {
	request: (options: RequestOptions) => Promise<Acceptance>;
	/** Cancels the request until it is sent. */
	controller: AbortController;
	/** Called at the last moment before sending. */
	maySend: () => boolean;
	/** Called when the request leaves. */
	onSent: () => void;
};

export async function sendOnce({
	request,
	controller,
	maySend,
	onSent,
}: SendOptions): Promise<SendResult> {
	const { signal } = controller;
	let isSent = false;
	let isStopped = false;
	// A request with a refused token is sent a second time and comes by here twice.
	const beforeSending = () => {
		isStopped = signal.aborted || !maySend();
		if (isStopped) controller.abort();
		else if (!isSent) {
			isSent = true;
			onSent();
		}
	};
	try {
		const acceptance = await request({ signal, priority: 'operation', onSent: beforeSending });
		return { end: 'accepted', acceptance };
	} catch (error) {
		if (isStopped || (signal.aborted && !isSent)) return { end: 'unsent' };
		if (error instanceof PlatformError) return resultOf(error.failure, isSent);
		// The rate limiter rejects with its own error when the program ends.
		if (!maySend()) return { end: 'unsent' };
		throw error;
	}
}

// Too many sign-ins are not a matter of the rate limiter, which would let the request go again at once.
function resultOf(failure: Failure, isSent: boolean): SendResult {
	if (isSent && failure.kind === 'limited') return { end: 'limited', failure };
	return { end: failure.isOutcomeUnknown ? 'lost' : 'refused', failure };
}
