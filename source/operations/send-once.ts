import type { Failure } from '../fleet/failure.ts';
import type { Acceptance } from '../platform/operation-requests.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';

/** How one request ended. */
export type SendResult =
	| { end: 'accepted'; acceptance: Acceptance }
	/** The platform refused the request and said why. */
	| { end: 'refused'; failure: Failure }
	/** The rate limit refused the request, so it may be sent again. */
	| { end: 'limited'; failure: Failure }
	/** The request was sent, and no response says whether it was carried out. */
	| { end: 'lost'; failure: Failure }
	/** The request was cancelled or held back before it was sent. */
	| { end: 'unsent' };

type SendOptions = {
	request: (options: RequestOptions) => Promise<Acceptance>;
	/** Cancels the request until it is sent. */
	controller: AbortController;
	/** Called at the last moment before the request leaves; false holds the request back. */
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
	// A request whose token was refused is sent a second time, so this hook can run twice.
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
		// When the program ends, the rate limiter rejects with an error of its own.
		if (!maySend()) return { end: 'unsent' };
		throw error;
	}
}

// When sign-ins are rate limited, a retry is useless: the rate limiter does not count sign-ins and would let it
// leave at once.
function resultOf(failure: Failure, isSent: boolean): SendResult {
	if (isSent && failure.kind === 'limited') return { end: 'limited', failure };
	return { end: failure.isOutcomeUnknown ? 'lost' : 'refused', failure };
}
