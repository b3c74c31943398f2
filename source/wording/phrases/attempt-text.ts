import { timeTextWithSeconds } from '../../drawing/time-text.ts';

//  Invalid login credentials
//  Attempt 2 failed at 14:03:40: Invalid login credentials

/** Says why a sign-in failed, so that the same reason looks different when it comes a second time. */
export function attemptText(reason: string, count: number, failedAt: number, now: number): string {
	if (count < 2) return reason;
	return `Attempt ${count} failed at ${timeTextWithSeconds(failedAt, now)}: ${reason}`;
}
