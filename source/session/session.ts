import type { PasswordRequest } from '../accounts/password-request.ts';
import { defaultNotices } from '../accounts/settings.ts';
import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { FactBody } from '../fleet/fact.ts';
import { readShares } from '../fleet/operations/preferences.ts';
import type { Failure } from '../foundation/failure.ts';
import { createJumps, type Jumps } from '../foundation/jumps.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { RequestCap } from '../limits/request-cap.ts';
import { createOperations, type Operations } from '../operations/operations.ts';
import type { Platform } from '../platform/platform.ts';
import type { Election } from '../sharing/election.ts';
import { createRecorder, type Recorder, recordWhileNobodyLeads } from '../sharing/recorder.ts';
import { createSharedWatch, type SharedWatch } from '../sharing/shared-watch.ts';
import { noteAccountChanges } from '../store/account-notes.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import { shareWhenAlone, unattendedAfterMs } from '../watch/polling-mode.ts';
import { createWatch, type Watch } from '../watch/watch.ts';
import type { SessionAccess } from './access.ts';
import { connect } from './connection.ts';
import { foldLimitChanges } from './fold-limit-changes.ts';
import type { SessionHost } from './host.ts';
import { withWaitReported } from './password-wait.ts';

export type AccountSession = {
	/** As in the store and in the names of files on disk. */
	account: string;
	profile: AccountProfile;
	baseUrl: string;
	store: Store;
	platform: Platform;
	limiter: Limiter;
	watch: Watch;
	/** If other processes of this machine share it. */
	sharedWatch?: Pick<SharedWatch, 'leave' | 'rejoin' | 'isUsedLast'> | undefined;
	/** Only one process of a host writes the log and runs the hooks. */
	recorder: Recorder;
	/** Undefined if no other process has the account. */
	election: Election | undefined;
	operations: Operations;
	/** The options that choose this account, such as `--profile work`. */
	commandOptions: readonly string[];
	/** Undefined if the account does not sign in with a typed password. */
	passwordRequest: PasswordRequest | undefined;
	/** Deletes the token, and keeps the rows; undefined if no person could type the password for the next sign-in. */
	signOut?: (() => void) | undefined;
	signal: AbortSignal;
	/** Ends the reads and the operations, calls `saveRest`, and only then lets another process lead. */
	close(saveRest?: () => void): Promise<void>;
};

/** They share one store and one set of operations. */
export type Sessions = readonly [AccountSession, ...AccountSession[]];

export type SharedParts = {
	store: Store;
	operations: Operations;
	jumps: Jumps;
	requestCap?: RequestCap | undefined;
};

type SharedOptions = Pick<SessionAccess, 'lockAfterMs' | 'skipsGrace' | 'requestCap'>;

export function createSharedParts(
	{ clock, random }: Pick<SessionHost, 'clock' | 'random'>,
	{ lockAfterMs = Number.POSITIVE_INFINITY, skipsGrace, requestCap }: SharedOptions,
): SharedParts {
	const store = createStore();
	const jumps = createJumps(clock);
	const operations = createOperations({ store, clock, jumps, random, lockAfterMs, skipsGrace });
	return { store, operations, jumps, requestCap };
}

/** Without shared parts, the session has a table of its own. */
export function openSession(
	host: SessionHost,
	access: SessionAccess,
	shared?: SharedParts,
): AccountSession {
	const { clock, random, activity } = host;
	const { account, baseUrl, commandOptions = [], passwordRequest } = access;
	const closing = new AbortController();
	const { store, operations, jumps, requestCap } = shared ?? createSharedParts(host, access);
	const fold = (body: FactBody) => {
		if (!closing.signal.aborted) store.receive([{ account, at: clock.now(), ...body }]);
	};
	const onSignInFailed = (failure: Failure) => fold({ type: 'signInFailed', failure });
	const credentials = withWaitReported(access.credentials, clock, onSignInFailed);
	const { platform, limiter } = connect(host, { ...access, credentials }, requestCap, {
		onSignedIn: email => fold({ type: 'signedIn', email }),
		onSignInFailed,
		jumps,
	});
	const initialAttention: Attention = {
		visibleIds: new Set(),
		// A person has just started the program, and counts as watching. Later, the monitor reports every key.
		attendedUntil: clock.now() + unattendedAfterMs,
	};
	noteAccountChanges(store, account, access.lowCreditsMs ?? defaultNotices.creditsLeft);
	const { election, sharing } = access;
	const recorder = createRecorder(!election);
	if (election && !sharing)
		recordWhileNobodyLeads(election.leaderPath, recorder, clock, closing.signal);
	// From its first operation on, others must be able to see that this process runs. Where it cannot listen, they cannot.
	const stopListening = store.onFact(({ type, account: other, pane }) => {
		if (type === 'operationChanged' && other === account && pane === undefined)
			election?.listen().catch(() => {});
	});
	const ownWatch = createWatch({
		account,
		platform,
		limiter,
		clock,
		jumps,
		random,
		accountState: () => store.getState().accounts.get(account),
		onFact: fact => store.receive([fact]),
		initialAttention,
		activity,
		maxShare() {
			const chosen = store.getState().accounts.get(account)?.chosenShare;
			const share = chosen ? readShares[chosen.share] : (access.maxShare ?? 1);
			return access.isAlone ? Math.min(share, shareWhenAlone) : share;
		},
	});
	const profile: AccountProfile = {
		account,
		name: access.label ?? account,
		shortName: access.shortName ?? access.label ?? account,
		colour: access.colour,
		isReadOnly: access.isReadOnly ?? false,
		isProduction: access.isProduction ?? false,
	};
	const sharedWatch: SharedWatch | undefined =
		election && sharing
			? createSharedWatch({
					account,
					ownWatch,
					store,
					clock,
					random,
					election,
					recorder,
					initialAttention,
					hasScreen: sharing.hasScreen,
				})
			: undefined;
	const watch = sharedWatch ?? ownWatch;
	const { questionStrictness } = access;
	const removeFromOperations = operations.addAccount({
		profile,
		platform,
		limiter,
		watch,
		questionStrictness,
		commandOptions,
		isRecorder: recorder.isRecorder,
	});

	/** The rows stay as they are. */
	function signOut() {
		operations.cancel({ account });
		// A leader closes its listener before the token is gone, so that another process can go on at once.
		if (sharedWatch) sharedWatch.leave('signedOut');
		else ownWatch.stop();
		platform.signOut();
		passwordRequest?.cancel();
		if (!sharedWatch) ownWatch.start();
	}
	const stopFoldingLimits = foldLimitChanges(account, limiter, store, clock);

	return {
		account,
		profile,
		baseUrl,
		store,
		platform,
		limiter,
		watch,
		sharedWatch,
		recorder,
		election,
		operations,
		commandOptions,
		passwordRequest,
		signOut: passwordRequest && signOut,
		signal: closing.signal,
		async close(saveRest) {
			closing.abort();
			removeFromOperations();
			if (!shared) operations.quit();
			stopFoldingLimits();
			ownWatch.stop();
			platform.close();
			saveRest?.();
			sharedWatch?.stop();
			stopListening();
			election?.close();
			await limiter.close();
			if (!shared) requestCap?.close();
		},
	};
}
