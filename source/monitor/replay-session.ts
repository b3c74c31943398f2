import { replayRefusal } from '../keys/replay-bindings.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import { refused } from '../operations/refusal.ts';
import { createMemoryLedger } from '../pace/ledger.ts';
import { createPace } from '../pace/pace.ts';
import { createPlatform } from '../platform/platform.ts';
import { failureOf, PlatformError } from '../platform/platform-error.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { createStore } from '../store/store.ts';
import type { Watch } from '../watch/watch.ts';

// A placeholder: a replay sends no requests.
const defaultBaseUrl = 'https://platform.example/v1';

/** A session for a replay: a store without a platform behind it. */
export function openReplaySession(
	{ clock, random, elapsed }: Pick<Host, 'clock' | 'random' | 'elapsed'>,
	{ account, baseUrl = defaultBaseUrl }: { account: string; baseUrl?: string | undefined },
): AccountSession {
	const closing = new AbortController();
	const pace = createPace({ clock, random, ledger: createMemoryLedger({ elapsed }) });
	// The platform only formats addresses here.
	const platform = createPlatform({
		baseUrl,
		credentials: { kind: 'token', token: '' },
		rateLimiter: {
			acquire: () => Promise.reject(new PlatformError(failureOf('cancelled', replayRefusal))),
		},
		clock,
		fetch: () => Promise.reject(new Error(replayRefusal)),
	});
	return {
		account,
		label: account,
		baseUrl,
		store: createStore(),
		platform,
		pace,
		watch: idleWatch,
		operations: noOperations,
		isReadOnly: true,
		commandOptions: [],
		signal: closing.signal,
		async close() {
			closing.abort();
			platform.close();
			await pace.close();
		},
	};
}

const idle = () => {};

const idleWatch: Watch = {
	start: idle,
	stop: idle,
	setAttention: idle,
	readNow: idle,
	wake: idle,
	signedInAgain: idle,
};

const blank: OperationsState = {
	question: undefined,
	isLocked: false,
	isReadOnly: true,
	batches: [],
	checks: [],
};

const refusal = () => refused('read-only', replayRefusal);

const noOperations: Operations = {
	ask: refusal,
	press: () => ({ type: 'none' }),
	answer: refusal,
	shown: idle,
	cancel: () => [],
	retryFailed: refusal,
	dismissBatch: idle,
	markSeen: idle,
	checkPort: idle,
	waitingFor: () => undefined,
	waiting: () => () => undefined,
	timeLeft: () => 0,
	hold: idle,
	touch: idle,
	lock: idle,
	unlock: idle,
	exitSummary: () => ({ sent: [], unknown: [], dropped: [] }),
	quit: () => ({ safe: [], unknown: [], dropped: [] }),
	state: () => blank,
	subscribe: () => idle,
};
