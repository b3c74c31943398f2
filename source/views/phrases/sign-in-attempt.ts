import { timeTextWithSeconds } from '../../lines/time-text.ts';

//  Invalid login credentials
//  Attempt 2 failed at 14:03:40: Invalid login credentials

/**
 * Says why a sign-in failed. A later attempt shows its number and time, so that a person notices that the same
 * failure has happened again.
 */
export function signInAttemptText(
	reason: string,
	count: number,
	failedAt: number,
	now: number,
): string {
	if (count < 2) return reason;
	return `Attempt ${count} failed at ${timeTextWithSeconds(failedAt, now)}: ${reason}`;
}
