import { tidingsFromHeaders } from '../pace/headers.ts';

const day = 86_400_000;

/** Milliseconds that an answer asks to wait, by the clock of whoever answered. */
export function waitFrom(headers: Headers, now: number): number | undefined {
	const { retryIn } = tidingsFromHeaders(headers, now);
	return retryIn === undefined ? undefined : Math.min(Math.max(retryIn, 0), day);
}
