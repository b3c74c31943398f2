import { parseDuration } from '../fleet/duration.ts';

/**
 * Returns the milliseconds of a duration such as 90s, 1.5h or 2w. Returns undefined for any other text, and
 * for a number with more than six digits.
 */
export function durationFrom(text: string): number | undefined {
	return /^\d{1,6}(?:\.\d{1,3})?[a-z]$/.test(text) ? parseDuration(text) : undefined;
}
