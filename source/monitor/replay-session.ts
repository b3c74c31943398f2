import { replayRefusal } from '../keys/replay-bindings.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import { refusalResult } from '../operations/refusal.ts';
import { createMemoryLedger } from '../pace/ledger.ts';
import { createPace } from '../pace/pace.ts';
import { createPlatform } from '../platform/platform.ts';
import { failureOf, PlatformError } from '../platform/platform-error.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { createStore } from '../store/store.ts';
import type { Watch } from '../watch/watch.ts';

// The base URL of recordings without one. A replay sends no requests, so the host need not exist.
const defaultBaseUrl = 'https://platform.example/v1';

/** Opens a session for a replay: its store shows recorded facts, and it sends no requests. */
export function openReplaySession(
	{ clock, random, msSinceBoot }: Pick<Host, 'clock' | 'random' | 'msSinceBoot'>,
	{ account, baseUrl = defaultBaseUrl }: { account: string; baseUrl?: string | undefined },
): AccountSession {
	const closeController = new AbortController();
	const pace = createPace({ clock, random, ledger: createMemoryLedger({ msSinceBoot }) });
	// A replay uses the platform only to format addresses.
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
		operations: refusingOperations,
		isReadOnly: true,
		commandOptions: [],
		signal: closeController.signal,
		async close() {
			closeController.abort();
			platform.close();
			await pace.close();
		},
	};
}

const doNothing = () => {};

const idleWatch: Watch = {
	start: doNothing,
	stop: doNothing,
	setAttention: doNothing,
	readNow: doNothing,
	wake: doNothing,
	retryAfterSignIn: doNothing,
};

const emptyOperationsState: OperationsState = {
	question: undefined,
	isLocked: false,
	isReadOnly: true,
	batches: [],
	portChecks: [],
};

const refuseOperation = () => refusalResult('read-only', replayRefusal);

const refusingOperations: Operations = {
	ask: refuseOperation,
	press: () => ({ type: 'none' }),
	answer: refuseOperation,
	noteQuestionShown: doNothing,
	cancel: () => [],
	retryFailed: refuseOperation,
	dismissBatch: doNothing,
	markSeen: doNothing,
	checkPort: doNothing,
	waitReasonOf: () => undefined,
	waitReasonsAt: () => () => undefined,
	estimateTimeLeft: () => 0,
	hold: doNothing,
	restartIdleTime: doNothing,
	lock: doNothing,
	unlock: doNothing,
	exitSummary: () => ({ sent: [], unknown: [], dropped: [] }),
	quit: () => ({ safe: [], unknown: [], dropped: [] }),
	state: () => emptyOperationsState,
	subscribe: () => doNothing,
};
