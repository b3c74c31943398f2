import type { Redaction } from '../accounts/redaction.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { documentedLimits } from '../limits/limits.ts';
import { createPlatform, type Platform } from '../platform/platform.ts';
import {
	type AccessOptions,
	buildAccess,
	openRequestCap,
	type ReachableAccount,
} from './access.ts';
import type { Host } from './host.ts';

/** A connection to the platform for one account, for a command that sends a few requests and ends. */
type Connection = {
	platform: Platform;
	redaction: Redaction;
	limiter: Limiter;
	close(): Promise<void>;
};

type ConnectionOptions = AccessOptions & {
	onSignedIn?: () => void;
};

export async function createConnection(
	host: Host,
	account: ReachableAccount,
	options: ConnectionOptions,
): Promise<Connection> {
	const { clock, random, activity, nextTurn } = host;
	const { onSignedIn } = options;
	const access = await buildAccess(host, account, options);
	const { baseUrl, credentials, fetch, requestLog: log, tokenCache, redaction } = access;
	const limiter = createLimiter({ clock, random, log, limits: documentedLimits });
	const cap = openRequestCap(host, account.maxRequestsPerMinute, options.onProblem);
	const platform = createPlatform({
		baseUrl,
		credentials,
		rateLimiter: cap?.capRequests(limiter) ?? limiter,
		clock,
		random,
		fetch,
		activity,
		nextTurn,
		tokenCache,
		redact: redaction.redact,
		onSignedIn,
	});
	return {
		platform,
		redaction,
		limiter,
		async close() {
			platform.close();
			await limiter.close();
			cap?.close();
		},
	};
}
