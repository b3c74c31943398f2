import type { Redaction } from '../accounts/redaction.ts';
import { createPace } from '../pace/pace.ts';
import { createPlatform, type Platform } from '../platform/platform.ts';
import { type AccessOptions, accessTo, type ReachableAccount } from './access.ts';
import type { Host } from './host.ts';

/** The platform as one account sees it, for a command that asks a few things and ends. */
export type Connection = {
	platform: Platform;
	redaction: Redaction;
	close(): Promise<void>;
};

export type ConnectionOptions = AccessOptions & {
	onSignedIn?: () => void;
	/** Wraps the `fetch` of the connection, for example to inspect the responses. */
	tapFetch?: (fetch: Host['fetch']) => Host['fetch'];
};

export async function createConnection(
	host: Host,
	account: ReachableAccount,
	options: ConnectionOptions,
): Promise<Connection> {
	const { clock, random } = host;
	const { onSignedIn, tapFetch = same => same } = options;
	const access = await accessTo(host, account, options);
	const { baseUrl, credentials, fetch, ledger, tokens, redaction } = access;
	const pace = createPace({ clock, random, ledger });
	const platform = createPlatform({
		baseUrl,
		credentials,
		rateLimiter: pace,
		clock,
		fetch: tapFetch(fetch),
		tokens,
		redact: redaction.clean,
		...(onSignedIn && { onSignedIn }),
	});
	return {
		platform,
		redaction,
		async close() {
			platform.close();
			await pace.close();
		},
	};
}
