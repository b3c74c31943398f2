import type { Phase } from './computer.ts';

/** Why a computer stopped, as far as the answers of the platform show. */
export type StopReason = 'asked' | 'asleep' | 'credits' | 'unknown';

const minute = 60_000;

const idleLimits = new Map([
	['free', 15 * minute],
	['pro', 30 * minute],
	['power', 60 * minute],
	['ultra', Number.POSITIVE_INFINITY],
]);

/** How long a computer may idle before its plan puts it to sleep; undefined for an unknown plan. */
export function idleLimitOf(plan: string | undefined): number | undefined {
	return plan === undefined ? undefined : idleLimits.get(plan);
}

type Stop = {
	/** The phase before the stop. */
	from: Phase;
	/** The current status, in the words of the platform. */
	status: string;
	/** How many milliseconds the computer ran, at least. */
	ranFor: number;
	/** Whether one of our operations that stop the computer is under way. */
	isOperationUnderWay: boolean;
	plan: string | undefined;
	canRun: boolean;
};

/**
 * The most likely reason for a stop. A computer that the plan put to sleep had run for at least the idle limit.
 * A stop by another person after that time looks the same.
 */
export function stopReasonOf({
	from,
	status,
	ranFor,
	isOperationUnderWay: isOurs,
	plan,
	canRun,
}: Stop): StopReason {
	if (isOurs) return 'asked';
	if (status.toLowerCase() === 'sleeping') return 'asleep';
	if (from !== 'active' && from !== 'stopping') return 'unknown';
	if (!canRun) return 'credits';
	const limit = idleLimitOf(plan);
	return limit !== undefined && ranFor >= limit ? 'asleep' : 'unknown';
}
