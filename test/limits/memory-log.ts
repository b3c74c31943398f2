import type { Clock } from '../../source/foundation/clock.ts';
import { createLimiter, type Limiter } from '../../source/limits/limiter.ts';
import { documentedLimits, type LimitsByScope } from '../../source/limits/limits.ts';
import { createRequestLog, type RequestLog } from '../../source/limits/request-log.ts';

/** Creates a log of requests that is not written to a disk. */
export const createMemoryLog = (
	{ now, monotonic }: Pick<Clock, 'now' | 'monotonic'>,
	limits: LimitsByScope = documentedLimits,
): RequestLog =>
	createRequestLog({
		limits,
		name: 'requests-1',
		msSinceBoot: monotonic,
		wallClockNow: now,
	});

export const createMemoryLimiter = (clock: Clock, random: () => number = () => 0.5): Limiter =>
	createLimiter(clock, random, createMemoryLog(clock));
