import { replayRefusal } from '../keys/replay-bindings.ts';
import type { Host } from '../session/host.ts';
import { type AccountSession, openSession } from '../session/session.ts';
import { createStore } from '../store/store.ts';

// The base URL of recordings without one. A replay sends no requests, so the host need not exist.
const defaultBaseUrl = 'https://platform.example/v1';

/**
 * Opens a session for a replay. Its store shows the recorded facts. The operations have an empty store of their
 * own, because they would judge the recorded operations by the present time.
 */
export function openReplaySession(
	host: Pick<Host, 'clock' | 'random' | 'msSinceBoot'>,
	{ account, baseUrl = defaultBaseUrl }: { account: string; baseUrl?: string | undefined },
): AccountSession {
	const session = openSession(host, {
		account,
		baseUrl,
		credentials: { kind: 'token', token: '' },
		fetch: () => Promise.reject(new Error(replayRefusal)),
		isReadOnly: true,
		lockAfter: Number.POSITIVE_INFINITY,
	});
	return { ...session, store: createStore() };
}
