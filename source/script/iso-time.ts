/** Formats a time in ISO 8601. Returns null if the time is missing or outside the range of valid dates. */
export function isoTime(at: number | null | undefined): string | null {
	if (typeof at !== 'number' || Math.abs(at) > 8.64e15) return null;
	return new Date(at).toISOString();
}
