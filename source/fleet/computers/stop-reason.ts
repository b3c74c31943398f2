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

/** Returns the milliseconds that a computer may idle before its plan puts it to sleep; undefined for an unknown plan. */
export function idleLimitMsOf(plan: string | undefined): number | undefined {
	return plan === undefined ? undefined : idleLimitMsByPlan.get(plan);
}

type Stop = {
	/** The phase before the stop. */
	phaseBefore: Phase;
	/** The current status, in the words of the platform. */
	status: string;
	/** The least number of milliseconds that the computer ran. */
	ranForMs: number;
	/** Whether an operation of this program that stops the computer is under way. */
	isOperationUnderWay: boolean;
	/** The highest CPU that was read in the time that the plan lets a computer idle, in percent; undefined if none was read. */
	busiestCpu?: number | undefined;
	plan: string | undefined;
	canRun: boolean;
};

/** An idle computer uses less CPU than this, in percent. */
const busyCpu = 5;

/**
 * Returns the most likely reason for a stop. A computer that ran for at least the plan's idle limit, and was not busy in that
 * time, counts as put to sleep, although another person may have stopped it.
 */
export function stopReasonOf({
	phaseBefore,
	status,
	ranForMs,
	isOperationUnderWay,
	busiestCpu = 0,
	plan,
	canRun,
}: Stop): StopReason {
	if (isOperationUnderWay) return 'asked';
	if (status.toLowerCase() === 'sleeping') return 'asleep';
	if (phaseBefore !== 'active' && phaseBefore !== 'stopping') return 'unknown';
	if (!canRun) return 'credits';
	const idleLimitMs = idleLimitMsOf(plan);
	const wasIdle = idleLimitMs !== undefined && ranForMs >= idleLimitMs && busiestCpu < busyCpu;
	return wasIdle ? 'asleep' : 'unknown';
}
