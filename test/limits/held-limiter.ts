import { createLimiter } from '../../source/limits/limiter.ts';
import {
	documentedLimits,
	type Priority,
	type Scope,
	type Slot,
} from '../../source/limits/limits.ts';
import { createRequestLog, type RequestFiles } from '../../source/limits/request-log.ts';
import { createHeldClock } from '../held-clock.ts';

export type PendingRequest = {
	slot?: Slot;
	reason?: unknown;
	/** Aborts the request. */
	leave(): void;
};

type HeldOptions = {
	clock?: ReturnType<typeof createHeldClock>;
	files?: RequestFiles;
	host?: string;
	random?: () => number;
};

/** How long all hosts have been running when a test starts. */
export const uptime = 10 * 86_400_000;

const startedAt = createHeldClock().monotonic() - uptime;

/** Creates the limiter of a process whose time the test controls. */
export function createHeldLimiter({
	clock = createHeldClock(),
	random = () => 0.5,
	host = 'a',
	files,
}: HeldOptions = {}) {
	const log = createRequestLog({
		limits: documentedLimits,
		files,
		name: 'requests-1',
		hostId: host,
		msSinceBoot: () => clock.monotonic() - startedAt,
		wallClockNow: clock.now,
	});
	const limiter = createLimiter(clock, random, log);

	const flush = () => new Promise(setImmediate);

	function ask(scope: Scope, priority: Priority = 'read'): PendingRequest {
		const controller = new AbortController();
		const asked: PendingRequest = { leave: () => controller.abort(new Error('cancelled')) };
		limiter.acquire(scope, { priority, signal: controller.signal }).then(
			slot => {
				asked.slot = slot;
			},
			reason => {
				asked.reason = reason;
			},
		);
		return asked;
	}

	return {
		limiter,
		clock,
		flush,
		date: clock.now,
		ask,
		/** Sends a request that gets this response at once, and returns the slots of its scope afterwards. */
		async send(scope: Scope, status = 200, headers: Record<string, string> = {}) {
			const asked = ask(scope, 'operation');
			await flush();
			asked.slot?.end(responseHead(status, headers));
			return limiter.slots()[scope];
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
