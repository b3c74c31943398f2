const day = 86_400_000;

/** Milliseconds that a Retry-After header asks for: seconds or an HTTP date. */
export function waitFrom(header: string | null, now: number): number | undefined {
	if (header === null) return undefined;
	const text = header.trim();
	const wait = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), day) : undefined;
}
