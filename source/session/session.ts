import type { PasswordRequest } from '../accounts/password-request.ts';
import { defaultNotices } from '../accounts/settings.ts';
import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import { type QuestionStrictness, readShares } from '../fleet/operations/preferences.ts';
import type { Failure } from '../foundation/failure.ts';
import { createJumps, type Jumps } from '../foundation/jumps.ts';
import type { TokenCache } from '../foundation/sign-in.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { documentedLimits } from '../limits/limits.ts';
import type { RequestCap } from '../limits/request-cap.ts';
import { createRequestLog, type RequestLog } from '../limits/request-log.ts';
import { createOperations, type Operations } from '../operations/operations.ts';
import { createPlatform, type Platform } from '../platform/platform.ts';
import type { Credentials } from '../platform/sign-in.ts';
import { createRecorder, type Recorder, recordWhileNobodyLeads } from '../sharing/recorder.ts';
import { createSharedWatch } from '../sharing/shared-watch.ts';
import type { ProcessSharing, SharedWatch } from '../sharing/shared-watch-options.ts';
import { noteAccountChanges } from '../store/account-notes.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import { shareWhenAlone, unattendedAfterMs } from '../watch/polling-mode.ts';
import { createWatch, type Watch } from '../watch/watch.ts';
import { foldLimitChanges } from './fold-limit-changes.ts';
import type { Host } from './host.ts';
import { withWaitReported } from './password-wait.ts';
import { createSignOut } from './sign-out.ts';

/** An opened account, with everything that is needed to read the account and to operate its computers. */
export type AccountSession = {
	/** The key of the account in the store and in the names of files on disk. */
	account: string;
	profile: AccountProfile;
	baseUrl: string;
	store: Store;
	platform: Platform;
	limiter: Limiter;
	watch: Watch;
	/** The watch, if other processes of this machine share it. */
	sharedWatch?: Pick<SharedWatch, 'leave' | 'rejoin' | 'isUsedLast'>;
	/** Whether this process writes the log and runs the hooks. Only one process of a host does. */
	recorder: Recorder;
	operations: Operations;
	/** The command-line options that choose this account, such as `--profile work`. */
	commandOptions: readonly string[];
	/**
	 * Asks for the password while the program runs; undefined if the account does not sign in with a typed password.
	 */
	passwordRequest: PasswordRequest | undefined;
	/** Deletes the token, and keeps the rows; undefined if no person could type the password for the next sign-in. */
	signOut?: () => void;
	/** Aborted when the session closes. */
	signal: AbortSignal;
	/** Ends the reads and the operations, calls `saveRest`, and only then lets another process lead. */
	close(saveRest?: () => void): Promise<void>;
};

/** The accounts of one table, at least one. They share one store and one set of operations. */
export type Sessions = readonly [AccountSession, ...AccountSession[]];

/** Everything that is needed to open an account. It comes from the configuration, the demo or a test. */
export type SessionAccess = {
	/** The key that `accountKey` returns. */
	account: string;
	/** The name of the account's profile; the account's key if there is no profile. */
	label?: string;
	baseUrl: string;
	credentials: Credentials;
	fetch: Host['fetch'];
	/**
	 * Counts the requests of all processes. Without a log, only the requests of this process are counted.
	 */
	requestLog?: RequestLog;
	tokenCache?: TokenCache;
	/** Removes secrets from a text, such as an error message of the platform. */
	redact?: (text: string) => string;
	isReadOnly?: boolean;
	/** A shorter name for the column of accounts. */
	shortName?: string;
	/** The colour of the account's name on the screen. */
	colour?: string | undefined;
	/** Whether a person has to type the name of the profile, too, to confirm an operation. */
	isProduction?: boolean;
	/** The strictness of the operations whose question differs from the default. */
	questionStrictness?: QuestionStrictness;
	/** The credits are low if they last no longer than this; by default, a day. */
	lowCreditsMs?: number;
	/** Whether operations are sent without a countdown, because no person could cancel it. */
	skipsGrace?: boolean;
	/** The largest share of each rate limit that reads may use until a person chooses another; 1 if absent. */
	maxShare?: number;
	/** Whether this process polls for itself beside others, so that its reads use at most a quarter of each limit. */
	isAlone?: boolean;
	/** How the processes of this host share one watch; absent if this process watches alone. */
	sharing?: ProcessSharing;
	/**
	 * The socket of a leader. A process that does not share its watch records while nobody listens there; without a path, it
	 * always records.
	 */
	leaderPath?: string | undefined;
	/** The command-line options that choose this account, such as `--profile work`. */
	commandOptions?: readonly string[];
	/** Asks for the password while the program runs. */
	passwordRequest?: PasswordRequest | undefined;
	/** Caps the requests of all accounts of this host together. */
	requestCap?: RequestCap | undefined;
	/** Whether the requests stay within this machine, so that no cap counts them. */
	isUncapped?: boolean;
	/** The milliseconds without a key after which the monitor locks; Infinity for never. */
	lockAfterMs?: number;
};

/** The parts that the sessions of one table share. */
export type SharedParts = {
	store: Store;
	operations: Operations;
	jumps: Jumps;
	/** Caps the requests of all accounts together. */
	requestCap?: RequestCap;
};

type SessionHost = Pick<Host, 'clock' | 'random' | 'msSinceBoot' | 'activity' | 'nextTurn'>;

type SharedOptions = Pick<SessionAccess, 'lockAfterMs' | 'skipsGrace' | 'requestCap'>;

/** Creates the store and the operations of one table. */
export function createSharedParts(
	{ clock, random }: Pick<SessionHost, 'clock' | 'random'>,
	{ lockAfterMs = Number.POSITIVE_INFINITY, skipsGrace, requestCap }: SharedOptions,
): SharedParts {
	const store = createStore();
	const jumps = createJumps(clock);
	const operations = createOperations({ store, clock, jumps, random, lockAfterMs, skipsGrace });
	return { store, operations, jumps, ...(requestCap && { requestCap }) };
}

/** Opens an account. Without shared parts, the session has a table of its own. */
export function openSession(
	host: SessionHost,
	access: SessionAccess,
	shared?: SharedParts,
): AccountSession {
	const { clock, random, msSinceBoot, activity, nextTurn } = host;
	const { account, baseUrl, credentials, fetch, tokenCache, commandOptions = [] } = access;
	const closing = new AbortController();
	const { store, operations, jumps, requestCap } = shared ?? createSharedParts(host, access);
	const log =
		access.requestLog ??
		createRequestLog({
			name: account,
			limits: documentedLimits,
			msSinceBoot,
			wallClockNow: clock.now,
		});
	const limiter = createLimiter({ clock, random, log, limits: documentedLimits });
	function noteSignInFailure(failure: Failure) {
		if (!closing.signal.aborted)
			store.receive([{ account, at: clock.now(), type: 'signInFailed', failure }]);
	}
	const platform = createPlatform({
		baseUrl,
		credentials: withWaitReported(credentials, clock, noteSignInFailure),
		rateLimiter: (!access.isUncapped && requestCap?.capRequests(limiter)) || limiter,
		clock,
		random,
		fetch,
		activity,
		nextTurn,
		tokenCache,
		redact: access.redact,
		onSignedIn(email) {
			if (!closing.signal.aborted)
				store.receive([{ account, at: clock.now(), type: 'signedIn', email }]);
		},
		onSignInFailed: noteSignInFailure,
	});
	const initialAttention: Attention = {
		visibleIds: new Set(),
		// A person has just started the program, and counts as watching. Later, the monitor reports every key.
		attendedUntil: clock.now() + unattendedAfterMs,
	};
	noteAccountChanges(store, account, access.lowCreditsMs ?? defaultNotices.creditsLeft);
	const recorder = createRecorder(!access.sharing);
	if (!access.sharing && access.leaderPath !== undefined)
		recordWhileNobodyLeads(access.leaderPath, recorder, clock, closing.signal);
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
	const sharedWatch: SharedWatch | undefined = access.sharing
		? createSharedWatch({
				account,
				ownWatch,
				store,
				clock,
				random,
				initialAttention,
				recorder,
				...access.sharing,
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
	const { passwordRequest } = access;
	const signOut = passwordRequest
		? createSignOut({
				account,
				platform,
				ownWatch,
				sharedWatch,
				passwordRequest,
				operations,
				store,
				signal: closing.signal,
			})
		: undefined;
	const stopFoldingLimits = foldLimitChanges(account, limiter, store, clock);

	return {
		account,
		profile,
		baseUrl,
		store,
		platform,
		limiter,
		watch,
		...(sharedWatch && { sharedWatch: signOut ? { ...sharedWatch, ...signOut } : sharedWatch }),
		recorder,
		operations,
		commandOptions,
		passwordRequest,
		...(signOut && { signOut: signOut.signOut }),
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
			await limiter.close();
			if (!shared) requestCap?.close();
		},
	};
}
