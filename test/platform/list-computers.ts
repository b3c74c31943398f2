// The test of the proxy runs this file in a process of its own, because Node reads certificates when it starts.

import { createInterface } from 'node:readline';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { fetchThroughProxy } from '../../source/platform/proxy.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';

/** Lists the computers of these platforms, one after another, through the proxies that these variables name. */
export type Asked = { variables: Record<string, string>; baseUrls: readonly string[] };

for await (const line of createInterface({ input: process.stdin })) {
	const { variables, baseUrls }: Asked = JSON.parse(line);
	const fetchWithProxy = await fetchThroughProxy(variables, directFetch);
	const answers: string[] = [];
	for (const baseUrl of baseUrls) {
		const platform = createPlatform({
			baseUrl,
			credentials: { kind: 'token', token: 'secret-token' },
			rateLimiter: createUnlimitedRateLimiter(),
			clock: createHeldClock(),
			fetch: fetchWithProxy,
		});
		answers.push(
			await platform
				.listComputers({ signal: new AbortController().signal, priority: 'read' })
				.then(({ computers }) => `${computers.length} computers`)
				.catch((error: unknown) =>
					error instanceof PlatformError ? error.message : `unexpected: ${error}`,
				),
		);
	}
	process.stdout.write(`${JSON.stringify(answers)}\n`);
}
