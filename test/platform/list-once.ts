// The test of the proxy runs this file in a process of its own, because Node reads certificates when it starts.

import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { fetchThroughProxy } from '../../source/platform/proxy.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';

const fetchWithProxy = await fetchThroughProxy(process.env, directFetch);

for (const baseUrl of process.argv.slice(2)) {
	const platform = createPlatform({
		baseUrl,
		credentials: { kind: 'token', token: 'secret-token' },
		rateLimiter: createUnlimitedRateLimiter(),
		clock: createHeldClock(),
		fetch: fetchWithProxy,
	});
	const result = await platform
		.listComputers({ signal: new AbortController().signal, priority: 'read' })
		.then(({ computers }) => `${computers.length} computers`)
		.catch((error: unknown) =>
			error instanceof PlatformError ? error.message : `unexpected: ${error}`,
		);
	process.stdout.write(`${result}\n`);
}
