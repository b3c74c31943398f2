import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createPlatform, type PlatformOptions } from '../../source/platform/platform.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';
import { serveResponses } from './loopback.ts';

export const readOptions = () => ({
	signal: new AbortController().signal,
	priority: 'read' as const,
});

/** Creates a platform that signs in with a token, and the rate limiter that its requests pass. */
export function platformAt(origin: string, options: Partial<PlatformOptions> = {}) {
	const gate = createUnlimitedRateLimiter();
	const platform = createPlatform({
		baseUrl: `${origin}/v1`,
		credentials: { kind: 'token', token: 'secret-token' },
		clock: createHeldClock(),
		fetch: directFetch,
		rateLimiter: gate,
		...options,
	});
	return { platform, gate };
}

/** Starts a platform that answers every request with this body, and records the requests. */
export async function platformAnswering(
	body: string,
	options: Partial<PlatformOptions> = {},
	status = 200,
) {
	const requests: string[] = [];
	const origin = await serveResponses((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		response.writeHead(status, { location: '/v1/jobs/1' }).end(body);
	});
	return { ...platformAt(origin, options), requests };
}

/** Waits for a request to fail, and returns its failure. */
export async function failureOf(promise: Promise<unknown>) {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof PlatformError)) throw error ?? new Error('it did not fail');
	return error.failure;
}
