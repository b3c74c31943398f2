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
	/** How many milliseconds the computer ran, at least. */
	ranForMs: number;
	/** Whether one of our operations that stop the computer is under way. */
	isOperationUnderWay: boolean;
	plan: string | undefined;
	canRun: boolean;
};

/**
 * Returns the most likely reason for a stop. A computer that the plan put to sleep had run for at least the idle
 * limit. A stop by another person after that time looks the same.
 */
export function stopReasonOf({
	phaseBefore,
	status,
	ranForMs,
	isOperationUnderWay,
	plan,
	canRun,
}: Stop): StopReason {
	if (isOperationUnderWay) return 'asked';
	if (status.toLowerCase() === 'sleeping') return 'asleep';
	if (phaseBefore !== 'active' && phaseBefore !== 'stopping') return 'unknown';
	if (!canRun) return 'credits';
	const idleLimitMs = idleLimitMsOf(plan);
	return idleLimitMs !== undefined && ranForMs >= idleLimitMs ? 'asleep' : 'unknown';
}
