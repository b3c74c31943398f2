import { type Backoff, backoffAfter, isDown, retryTimeOf } from '../foundation/backoff.ts';
import type { Failure, FailureKind } from '../foundation/failure.ts';
import { historiesOf, historyOf, type MutablePlannerInput, type Read } from './planner-input.ts';

// When a read fails in one of these ways, all other reads would fail in the same way.
const connectionFailureKinds: readonly FailureKind[] = ['offline', 'auth'];

/**
 * Creates the tracker that sets backoffs after failures. Several connection failures in a row begin an outage, in
 * which only one request at a time is sent:
 *
 * ```
 *   working ──3 connection failures, or 2 refused sign-ins──▶ outage ──any answer──▶ working
 * ```
 */
export function createOutageTracker(input: MutablePlannerInput, random: () => number) {
	/** Connection failures in a row, before and during an outage. */
	let connection: Backoff | null = null;

	// No single computer caused the outage, so the backoff of every computer is cleared.
	function end() {
		for (const { status, detail } of input.computers.values()) {
			if (status.backoff) status.backoff = null;
			if (detail.backoff) detail.backoff = null;
		}
		connection = null;
		input.outageBackoff = null;
	}

	function refresh(now: number) {
		end();
		for (const each of Object.values(input.histories)) each.backoff = null;
		input.answersStaleBefore = now;
	}

	return {
		refresh,
		isOnlyOneOtherKindFailing(read: Read): boolean {
			const failing = Object.values(input.histories).filter(({ backoff }) => backoff !== null);
			return failing.length === 1 && input.histories[read.name].backoff === null;
		},
		afterAnswer(askedAt: number, isOnlyOneKindFailing: boolean) {
			connection = null;
			// If only one kind of read fails and another kind works at its first try, the connection works. The
			// failing kind keeps its backoff.
			if (input.outageBackoff && isOnlyOneKindFailing) end();
			// The answer that ended the outage is up to date; all answers from before its request are stale.
			else if (input.outageBackoff) refresh(askedAt);
		},
		afterFailure(read: Read, failure: Failure, now: number): number {
			const askedAt = historyOf(input, read)?.askedAt ?? now;
			const next = (before: Backoff | null) => {
				// Requests that were in flight together usually fail together, so they count as one failure. After the clock was
				// set back, an earlier failure lies ahead.
				const isNew = before === null || askedAt >= before.failedAt || before.failedAt > now;
				return isNew ? backoffAfter(before, failure, now, random) : before;
			};
			const kind = input.histories[read.name];
			for (const each of historiesOf(input, read)) {
				each.isInFlight = false;
				// A rate limit says nothing about the computer that the refused read was about.
				if (each === kind || failure.kind !== 'limited') each.backoff = next(each.backoff);
			}
			if (connectionFailureKinds.includes(failure.kind)) {
				connection = next(connection);
				const isSignInRefused = failure.kind === 'auth' && connection.failureCount > 1;
				if (isSignInRefused || isDown(connection)) input.outageBackoff = connection;
			}
			const backoff = input.outageBackoff ?? historyOf(input, read)?.backoff ?? kind.backoff;
			return Math.max(now, retryTimeOf(backoff, now));
		},
	};
}
