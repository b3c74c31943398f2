import { timeTextWithSeconds } from '../../lines/time-text.ts';

//  Invalid login credentials
//  Attempt 2 failed at 14:03:40: Invalid login credentials

/** The number and the time let a person notice that the same failure has happened again. */
export function signInAttemptText(
	reason: string,
	count: number,
	failedAt: number,
	now: number,
): string {
	if (count < 2) return reason;
	return `Attempt ${count} failed at ${timeTextWithSeconds(failedAt, now)}: ${reason}`;
}
