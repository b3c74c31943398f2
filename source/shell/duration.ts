const units: Readonly<Record<string, number>> = {
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
	w: 604_800_000,
};

/** 90s, 10m, 1.5h, 7d or 2w in milliseconds; undefined for anything else. */
export function durationFrom(text: string): number | undefined {
	const [, digits, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits) * (units[unit] ?? 0);
}
