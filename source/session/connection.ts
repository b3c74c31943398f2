import type { Redaction } from '../accounts/redaction.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { documentedLimits } from '../limits/limits.ts';
import type { RequestCap } from '../limits/request-cap.ts';
import { createRequestLog } from '../limits/request-log.ts';
import { createPlatform, type Platform, type PlatformOptions } from '../platform/platform.ts';
import {
	type Access,
	type AccessOptions,
	buildAccess,
	openRequestCap,
	type ReachableAccount,
} from './access.ts';
import type { Host, SessionHost } from './host.ts';

/** For a command that sends a few requests and ends. */
type Connection = {
	platform: Platform;
	redaction: Redaction;
	limiter: Limiter;
	close(): Promise<void>;
};

export async function createConnection(
	host: Host,
	account: ReachableAccount,
	options: AccessOptions & { onSignedIn?: () => void },
): Promise<Connection> {
	const access = await buildAccess(host, account, options);
	const cap = openRequestCap(host, account.maxRequestsPerMinute, options.onProblem);
	const { platform, limiter } = connect(host, access, cap, { onSignedIn: options.onSignedIn });
	return {
		platform,
		redaction: access.redaction,
		limiter,
		async close() {
			platform.close();
			await limiter.close();
			cap?.close();
		},
	};
}

export function connect(
	{ clock, random, msSinceBoot, activity, nextTurn }: SessionHost,
	access: Access,
	cap: RequestCap | undefined,
	listeners: Pick<PlatformOptions, 'onSignedIn' | 'onSignInFailed'>,
): { platform: Platform; limiter: Limiter } {
	const { baseUrl, credentials, fetch, tokenCache, redact } = access;
	const log =
		access.requestLog ??
		createRequestLog({
			name: 'requests',
			limits: documentedLimits,
			msSinceBoot,
			wallClockNow: clock.now,
		});
	const limiter = createLimiter(clock, random, log);
	const platform = createPlatform({
		baseUrl,
		credentials,
		rateLimiter: (!access.isUncapped && cap?.capRequests(limiter)) || limiter,
		clock,
		random,
		fetch,
		activity,
		nextTurn,
		tokenCache,
		redact,
		...listeners,
	});
	return { platform, limiter };
}
