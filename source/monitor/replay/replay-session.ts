import type { RecordedAccount, RecordingHeader } from '../../journal/recording.ts';
import type { Host } from '../../session/host.ts';
import { createSharedParts, openSession, type Sessions } from '../../session/session.ts';
import { createStore } from '../../store/store.ts';
import { replayRefusal } from '../../views/actions/effects.ts';

// The base URL of recordings without one. A replay sends no requests, so the host need not exist.
const defaultBaseUrl = 'https://platform.example/v1';

/**
 * Opens the sessions of a replay, one for each recorded account. Their store shows the recorded facts. The operations
 * have a separate, empty store. With the recorded store, they would act on recorded operations as if these happened
 * now.
 */
export function openReplaySessions(
	host: Pick<Host, 'clock' | 'random' | 'msSinceBoot'>,
	{ accounts }: Pick<RecordingHeader, 'accounts'>,
): Sessions {
	const shared = createSharedParts(host, { lockAfterMs: Number.POSITIVE_INFINITY });
	const store = createStore();

	function openReplayed({
		account,
		label: name = account,
		baseUrl = defaultBaseUrl,
	}: RecordedAccount) {
		const session = openSession(
			host,
			{
				profile: { account, name, shortName: name, isReadOnly: true, isProduction: false },
				baseUrl,
				credentials: { kind: 'token', token: '' },
				fetch: () => Promise.reject(new Error(replayRefusal)),
			},
			shared,
		);
		return { ...session, store };
	}

	const [first, ...others] = accounts.map(openReplayed);
	if (!first) throw new RangeError('a recording has at least one account');
	return [first, ...others];
}
