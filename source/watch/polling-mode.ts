import type { PollingMode } from '../fleet/reads.ts';

const minuteMs = 60_000;

/** If the terminal does not report its focus, a person counts as gone this long after the last key. */
export const unattendedAfterMs = 5 * minuteMs;

/** After this time, an operation or a creation counts as stuck, so that there is no reason to hurry. */
export const stuckAfterMs = 10 * minuteMs;

/**
 * The largest share of each rate limit that reads may use. The platform's web page, scripts and other people spend the
 * same limits.
 */
export const modeShares: Readonly<Record<PollingMode, number>> = {
	moving: 1,
	calm: 1 / 2,
	unattended: 1 / 4,
};

/** The same for a process that polls for itself beside others. */
export const shareWhenAlone = 1 / 4;

export function pollingModeOf(
	attendedUntil: number,
	movingSince: number | null,
	now: number,
): PollingMode {
	if (now >= attendedUntil) return 'unattended';
	return movingSince !== null && now - movingSince < stuckAfterMs ? 'moving' : 'calm';
}
