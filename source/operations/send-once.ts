import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { Acceptance } from './operation-row.ts';

/** What became of one request. */
export type SendResult =
	| { end: 'accepted'; taken: Acceptance }
	/** The platform did not do it, and said why. */
	| { end: 'refused'; failure: Failure }
	/** The rate limit: not done, and not to be given up for that. */
	| { end: 'limited'; failure: Failure }
	/** It went out, and nobody knows whether it was done. */
	| { end: 'lost'; failure: Failure }
	/** It was called off, or not let out, before it was sent. */
	| { end: 'unsent' };

type SendOptions = {
	request: (asking: RequestOptions) => Promise<Acceptance>;
	/** Calls it off, as long as it has not gone out. */
	controller: AbortController;
	/** Asked at the very last moment, when its turn has come. */
	mayGo: () => boolean;
	/** It goes out now. */
	onSent: () => void;
};

export async function sendOnce({
	request,
	controller,
	mayGo,
	onSent,
}: SendOptions): Promise<SendResult> {
	const { signal } = controller;
	let hasGone = false;
	let isHeldBack = false;
	// After a refused token it is sent a second time, and asks here a second time.
	const leave = () => {
		isHeldBack = signal.aborted || !mayGo();
		if (isHeldBack) controller.abort();
		else if (!hasGone) {
			hasGone = true;
			onSent();
		}
	};
	try {
		const taken = await request({ signal, priority: 'operation', onSent: leave });
		return { end: 'accepted', taken };
	} catch (error) {
		if (isHeldBack || (signal.aborted && !hasGone)) return { end: 'unsent' };
		if (error instanceof PlatformError) return resultOf(error.failure, hasGone);
		// Pace refuses with an error of its own when the program ends.
		if (!mayGo()) return { end: 'unsent' };
		throw error;
	}
}

// Too many sign-ins are not the rate limit: pace knows nothing of them, and would let it go again at once.
function resultOf(failure: Failure, hasGone: boolean): SendResult {
	if (hasGone && failure.kind === 'limited') return { end: 'limited', failure };
	return { end: failure.isOutcomeUnknown ? 'lost' : 'refused', failure };
}
