import { createMemoryLedger, type Ledger } from '../../source/pace/ledger.ts';
import type { LimitsByScope, Priority, Scope, SendingPermit } from '../../source/pace/limits.ts';
import { createPace } from '../../source/pace/pace.ts';
import { createHeldClock } from '../held-clock.ts';

export type PendingRequest = {
	permit?: SendingPermit;
	reason?: unknown;
	/** Aborts the request. */
	leave(): void;
};

/** Creates a pace whose time the test controls, and whose wall clock can jump. */
export function createHeldPace({
	limits,
	clock = createHeldClock(),
	ledger = createMemoryLedger({ msSinceBoot: clock.now }),
	random = () => 0.5,
}: {
	limits?: LimitsByScope;
	clock?: ReturnType<typeof createHeldClock>;
	ledger?: Ledger;
	random?: () => number;
} = {}) {
	let ahead = 0;
	const pace = createPace({
		clock: { ...clock, now: () => clock.now() + ahead },
		random,
		ledger,
		...(limits && { limits }),
	});

	const flush = () => new Promise(setImmediate);

	return {
		pace,
		clock,
		ledger,
		flush,
		/** Returns the time of the wall clock, in milliseconds since 1970. */
		date: () => clock.now() + ahead,
		jump(milliseconds: number) {
			ahead += milliseconds;
		},
		ask(scope: Scope, priority: Priority = 'read'): PendingRequest {
			const controller = new AbortController();
			const asked: PendingRequest = { leave: () => controller.abort(new Error('cancelled')) };
			pace.acquire(scope, { priority, signal: controller.signal }).then(
				permit => {
					asked.permit = permit;
				},
				reason => {
					asked.reason = reason;
				},
			);
			return asked;
		},
		async move(milliseconds: number) {
			clock.move(milliseconds);
			await flush();
		},
	};
}

/** Creates the head of a response with this status and these headers. */
export const responseHead = (status = 200, headers: Record<string, string> = {}) => ({
	status,
	headers: new Headers(headers),
});
