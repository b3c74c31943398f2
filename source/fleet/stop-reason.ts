import type { Phase } from './computer.ts';

/** Why a computer stopped, as far as one can tell from outside. */
export type StopReason = 'asked' | 'asleep' | 'credits' | 'unknown';

const minute = 60_000;

const idleLimits = new Map([
	['free', 15 * minute],
	['pro', 30 * minute],
	['power', 60 * minute],
	['ultra', Number.POSITIVE_INFINITY],
]);

/** How long a computer may idle before its plan puts it to sleep; unknown for an unknown plan. */
export function idleLimitOf(plan: string | undefined): number | undefined {
	return plan === undefined ? undefined : idleLimits.get(plan);
}

type Stop = {
	/** What it was before. */
	from: Phase;
	/** The platform's own word for what it is now. */
	status: string;
	/** How long it ran, at least. */
	ranFor: number;
	/** An operation of ours that stops it is under way. */
	isOperationUnderWay: boolean;
	plan: string | undefined;
	canRun: boolean;
};

/**
 * The likeliest reason. What fell asleep had run for as long as its plan lets it idle. After that another
 * person's stop looks the same: nothing outside tells them apart.
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
