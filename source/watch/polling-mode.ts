import type { PollingMode } from '../fleet/reads.ts';

const minuteMs = 60_000;

export const unattendedAfterMs = 5 * minuteMs;

export const stuckAfterMs = 10 * minuteMs;

/** The platform's web page, scripts and other people spend the same limits. */
export const modeShares: Readonly<Record<PollingMode, number>> = {
	moving: 1,
	calm: 1 / 2,
	unattended: 1 / 4,
};

export const shareWhenAlone = 1 / 4;

export function pollingModeOf(
	attendedUntil: number,
	movingSince: number | null,
	now: number,
): PollingMode {
	if (now >= attendedUntil) return 'unattended';
	return movingSince !== null && now - movingSince < stuckAfterMs ? 'moving' : 'calm';
}
