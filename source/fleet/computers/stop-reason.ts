import { durationText, minuteMs } from '../../foundation/duration.ts';
import * as v from '../../foundation/schema.ts';
import type { Phase } from './computer.ts';

export const stopReasonSchema = v.oneOf(['asked', 'asleep', 'credits', 'unknown']);

export type StopReason = v.ValueOf<typeof stopReasonSchema>;

export const plans = new Map([
	['free', { name: 'Free', idleLimitMs: 15 * minuteMs }],
	['pro', { name: 'Pro', idleLimitMs: 30 * minuteMs }],
	['power', { name: 'Power', idleLimitMs: 60 * minuteMs }],
	['ultra', { name: 'Ultra', idleLimitMs: Infinity }],
]);

export const idleLimitMsOf = (plan = ''): number | undefined => plans.get(plan)?.idleLimitMs;

type Stop = {
	phaseBefore: Phase;
	status: string;
	isOperationUnderWay: boolean;
	/** Undefined if neither its start nor its being busy was seen. */
	idleForMs?: number | undefined;
	plan: string | undefined;
	canRun: boolean;
};

export const busyCpu = 5;

// The CPU is read now and then, and the platform may take a moment to put a computer to sleep.
const earliestSleepMs = -minuteMs;
const latestSleepMs = 5 * minuteMs;

/**
 * The platform does not tell who stopped a computer:
 *
 * ```
 *   busy ├── idle for 30 min ──┤ stopped              asleep: the plan puts it to sleep now
 *   busy ├── idle for 8 min ─┤ stopped                unknown: the plan would have waited
 *   busy ├── idle for 3 h ─────────────────┤ stopped  unknown: the plan would not have waited so long
 * ```
 */
export function stopReasonOf(stop: Stop): StopReason {
	const { phaseBefore, idleForMs } = stop;
	if (stop.isOperationUnderWay) return 'asked';
	if (stop.status.toLowerCase() === 'sleeping') return 'asleep';
	if (phaseBefore !== 'active' && phaseBefore !== 'stopping') return 'unknown';
	if (!stop.canRun) return 'credits';
	const idleLimitMs = idleLimitMsOf(stop.plan);
	if (idleLimitMs === undefined || idleForMs === undefined) return 'unknown';
	const overLimitMs = idleForMs - idleLimitMs;
	return overLimitMs >= earliestSleepMs && overLimitMs <= latestSleepMs ? 'asleep' : 'unknown';
}

export function autoSleepText(plan: string): string {
	const limit = idleLimitMsOf(plan);
	if (limit === undefined) return 'unknown';
	return Number.isFinite(limit) ? `after ${durationText(limit)} idle` : 'never';
}
