import { durationText } from '../../foundation/duration.ts';
import * as v from '../../foundation/schema.ts';
import type { Phase } from './computer.ts';

export const stopReasonSchema = v.oneOf(['asked', 'asleep', 'credits', 'unknown']);

/** Why a computer stopped, as far as the answers of the platform show. */
export type StopReason = v.ValueOf<typeof stopReasonSchema>;

const minuteMs = 60_000;

const idleLimitMsByPlan = new Map([
	['free', 15 * minuteMs],
	['pro', 30 * minuteMs],
	['power', 60 * minuteMs],
	['ultra', Number.POSITIVE_INFINITY],
]);

/** Undefined for an unknown plan. */
export function idleLimitMsOf(plan: string | undefined): number | undefined {
	return plan === undefined ? undefined : idleLimitMsByPlan.get(plan);
}

type Stop = {
	phaseBefore: Phase;
	/** In the words of the platform. */
	status: string;
	/** An operation of this program that stops the computer. */
	isOperationUnderWay: boolean;
	/** The milliseconds since the computer was started or was last busy; undefined if neither was seen. */
	idleForMs?: number | undefined;
	plan: string | undefined;
	canRun: boolean;
};

/** An idle computer uses less CPU than this, in percent. */
export const busyCpu = 5;

// The CPU is read now and then, and the platform may take a moment to put a computer to sleep.
const earliestSleepMs = -minuteMs;
const latestSleepMs = 5 * minuteMs;

/**
 * Returns the reason for a stop, as far as the facts show it. The platform does not tell who stopped a computer. A
 * computer counts as put to sleep only if it stopped just when it had been idle for as long as the plan allows:
 *
 * ```
 *   busy ├── idle for 30 min ──┤ stopped              asleep: the plan puts it to sleep now
 *   busy ├── idle for 8 min ─┤ stopped                unknown: the plan would have waited
 *   busy ├── idle for 3 h ─────────────────┤ stopped  unknown: the plan would not have waited so long
 * ```
 */
export function stopReasonOf({
	phaseBefore,
	status,
	isOperationUnderWay,
	idleForMs,
	plan,
	canRun,
}: Stop): StopReason {
	if (isOperationUnderWay) return 'asked';
	if (status.toLowerCase() === 'sleeping') return 'asleep';
	if (phaseBefore !== 'active' && phaseBefore !== 'stopping') return 'unknown';
	if (!canRun) return 'credits';
	const idleLimitMs = idleLimitMsOf(plan);
	if (idleLimitMs === undefined || idleForMs === undefined) return 'unknown';
	const overLimitMs = idleForMs - idleLimitMs;
	return overLimitMs >= earliestSleepMs && overLimitMs <= latestSleepMs ? 'asleep' : 'unknown';
}

/** Says when this plan puts an idle computer to sleep, as in "after 30 min idle". */
export function autoSleepText(plan: string): string {
	const limit = idleLimitMsOf(plan);
	if (limit === undefined) return 'unknown';
	return Number.isFinite(limit) ? `after ${durationText(limit)} idle` : 'never';
}
