import type { Redaction } from '../accounts/redaction.ts';
import { createPace, type Pace } from '../pace/pace.ts';
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
	pace: Pace;
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
	const { baseUrl, credentials, fetch, ledger, tokenCache, redaction } = access;
	const pace = createPace({ clock, random, ledger });
	const cap = openRequestCap(host, account.maxRequestsPerMinute, options.onProblem);
	const platform = createPlatform({
		baseUrl,
		credentials,
		rateLimiter: cap?.capRequests(pace) ?? pace,
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
		pace,
		async close() {
			platform.close();
			await pace.close();
			cap?.close();
		},
	};
}
