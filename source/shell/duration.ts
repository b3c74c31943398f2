import { parseDuration } from '../fleet/duration.ts';

/** The milliseconds of an argument such as 90s, 1.5h or 2w; undefined for more than six digits. */
export function durationFrom(text: string): number | undefined {
	return /^\d{1,6}(?:\.\d{1,3})?[a-z]$/.test(text) ? parseDuration(text) : undefined;
}
