/** Replaces a part of the value, which `place` chooses, with another value. */
export function replacePart(value: unknown, place: number, replacement: unknown): unknown {
	if (typeof value !== 'object' || value === null) return replacement;
	const entries = Object.entries(value);
	const chosen = entries[place % Math.max(1, entries.length)];
	if (!chosen) return replacement;
	const [key, part] = chosen;
	const next =
		place % 3 === 0 ? replacement : replacePart(part, Math.floor(place / 2), replacement);
	return Array.isArray(value)
		? value.map((each, at) => (String(at) === key ? next : each))
		: { ...value, [key]: next };
}
