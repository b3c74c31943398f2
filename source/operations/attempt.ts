import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { Taken } from './rule.ts';

/** What became of one request. */
export type Attempt =
	| { end: 'accepted'; taken: Taken }
	/** The platform did not do it, and said why. */
	| { end: 'refused'; failure: Failure }
	/** The rate limit: not done, and not to be given up for that. */
	| { end: 'limited'; failure: Failure }
	/** It went out, and nobody knows whether it was done. */
	| { end: 'lost'; failure: Failure }
	/** It was called off, or not let out, before it was sent. */
	| { end: 'unsent' };

type Parts = {
	request: (asking: RequestOptions) => Promise<Taken>;
	/** Calls it off, as long as it has not gone out. */
	controller: AbortController;
	/** Asked at the very last moment, when its turn has come. */
	mayGo: () => boolean;
	/** It goes out now. */
	onSent: () => void;
};

export async function attempt({ request, controller, mayGo, onSent }: Parts): Promise<Attempt> {
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
		if (error instanceof PlatformError) return endOf(error.failure, hasGone);
		// Pace refuses with an error of its own when the program ends.
		if (!mayGo()) return { end: 'unsent' };
		throw error;
	}
}

// Too many sign-ins are not the rate limit: pace knows nothing of them, and would let it go again at once.
function endOf(failure: Failure, hasGone: boolean): Attempt {
	if (hasGone && failure.kind === 'limited') return { end: 'limited', failure };
	return { end: failure.isOutcomeUnknown ? 'lost' : 'refused', failure };
}
