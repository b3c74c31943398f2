import { createLimiter } from '../../source/limits/limiter.ts';
import {
	documentedLimits,
	type LimitsByScope,
	type Priority,
	type Scope,
	type Slot,
} from '../../source/limits/limits.ts';
import type { RequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';
import { createHeldClock } from '../held-clock.ts';

export type PendingRequest = {
	slot?: Slot;
	reason?: unknown;
	/** Aborts the request. */
	leave(): void;
};

type HeldOptions = {
	limits?: LimitsByScope;
	clock?: ReturnType<typeof createHeldClock>;
	files?: RequestFiles;
	host?: string;
	/** The milliseconds since the host started, at the start of the test. */
	uptime?: number;
	/** How far the wall clock of the host is ahead of the clock of the test. */
	ahead?: number;
	random?: () => number;
	onProblem?: (message: string) => void;
};

const startOfTests = createHeldClock().monotonic();

/** Creates the limiter of a process whose time the test controls, and whose wall clock can jump. */
export function createHeldLimiter({
	limits = documentedLimits,
	clock = createHeldClock(),
	random = () => 0.5,
	uptime = 10 * 86_400_000,
	...options
}: HeldOptions = {}) {
	let { ahead = 0 } = options;
	const { files, host = 'a', onProblem } = options;
	const startedAt = startOfTests - uptime;
	const date = () => clock.now() + ahead;
	const log = createRequestLog({
		limits,
		files,
		onProblem,
		name: 'requests-1',
		hostId: host,
		msSinceBoot: () => clock.monotonic() - startedAt,
		wallClockNow: date,
	});
	const limiter = createLimiter({ ...clock, now: date }, random, log);

	const flush = () => new Promise(setImmediate);

	return {
		limiter,
		clock,
		log,
		flush,
		/** Returns the time of the wall clock, in milliseconds since 1970. */
		date,
		jump(milliseconds: number) {
			ahead += milliseconds;
		},
		ask(scope: Scope, priority: Priority = 'read'): PendingRequest {
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
