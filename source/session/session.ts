import { createStore as createRecorder } from 'zustand/vanilla';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import type { PasswordRequest } from '../accounts/password-request.ts';
import { type Preferences, sshOptionsFrom } from '../accounts/settings.ts';
import type { AccountProfile } from '../fleet/computers/account.ts';
import type { FactBody, ScopeUsage } from '../fleet/fact.ts';
import { readShares } from '../fleet/reads.ts';
import { type Clock, createJumps } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { type JournalOptions, openJournal } from '../journal/journal.ts';
import type { Limiter, RequestCap, Slots } from '../limits/limiter.ts';
import { shareWhenAlone } from '../limits/limits.ts';
import { createOperations } from '../operations/operations.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { Credentials } from '../platform/sign-in.ts';
import type { Election } from '../sharing/election.ts';
import {
	createSharedWatch,
	recordWhileNobodyLeads,
	type SharedWatch,
} from '../sharing/shared-watch.ts';
import { noteAccountChanges } from '../store/account-notes.ts';
import { createStore, type Store } from '../store/store.ts';
import { type Attention, unattendedAfterMs } from '../watch/plan.ts';
import { createWatch, type Watch } from '../watch/watch.ts';
import { type Access, type AccessOptions, buildAccess, connect } from './access.ts';
import type { Host, SessionHost } from './host.ts';
import { journalPlace, openElection } from './state-folder.ts';

export type AccountSession = ReturnType<typeof openSession>;

export type Sessions = readonly [AccountSession, ...AccountSession[]];

export type SharedParts = ReturnType<typeof createSharedParts>;

type OperationRules = {
	/** By default, never. */
	lockAfterMs?: number;
	/** Without countdowns, because no person could cancel them. */
	skipsCountdown?: boolean;
	requestCap?: RequestCap | undefined;
};

export function createSharedParts(
	{ clock, random }: Pick<SessionHost, 'clock' | 'random'>,
	{ lockAfterMs = Number.POSITIVE_INFINITY, skipsCountdown, requestCap }: OperationRules,
) {
	const store = createStore();
	const jumps = createJumps(clock);
	const operations = createOperations({ store, clock, jumps, random, lockAfterMs, skipsCountdown });
	return { store, operations, jumps, requestCap };
}

export type SessionOptions = Access & {
	profile: AccountProfile;
	preferences?: Partial<Pick<Preferences, 'alone' | 'confirm' | 'notify' | 'share' | 'ssh'>>;
	/** The options that choose this account, such as `--profile work`. */
	commandOptions?: readonly string[];
	/** Undefined if no other process has the account. */
	election?: Election | undefined;
	/** Otherwise, this process stays off the socket, and records only while no other process leads. */
	sharesWatch?: boolean;
	passwordRequest?: PasswordRequest | undefined;
	/** Without it, nothing is kept between runs. */
	keeping?: Omit<JournalOptions, 'account' | 'store' | 'clock' | 'recorder'> | undefined;
};

type ConfiguredOptions = AccessOptions &
	Pick<SessionOptions, 'sharesWatch' | 'passwordRequest'> &
	Pick<JournalOptions, 'needsHistory'>;

/** Opens an account of the configuration, with what earlier runs kept of it. */
export async function openConfigured(
	host: Host,
	settings: AccountSettings,
	shared: SharedParts,
	options: ConfiguredOptions,
): Promise<AccountSession> {
	const { name, preferences } = settings;
	const { onProblem, needsHistory, sharesWatch = false, passwordRequest } = options;
	const account = accountKey(settings);
	const election = openElection(host, account);
	if (sharesWatch && (await election?.isOtherBuildOpen()))
		onProblem('A monitor of an earlier build is open. It shares nothing with this one: close it');
	const access = await buildAccess(host, settings, options);
	return openSession(
		host,
		{
			...access,
			profile: profileOf(settings),
			preferences,
			commandOptions: name === 'environment' ? [] : ['--profile', name],
			election,
			sharesWatch: sharesWatch && !preferences.alone,
			passwordRequest,
			keeping: { ...journalPlace(host), onProblem, needsHistory },
		},
		shared,
	);
}

const profileOf = (settings: AccountSettings): AccountProfile => ({
	account: accountKey(settings),
	name: settings.name,
	shortName: settings.shortName,
	colour: settings.preferences.colour,
	isReadOnly: settings.preferences.readOnly,
	isProduction: settings.isProduction,
	lowCreditsMs: settings.preferences.notify.creditsLeft,
});

export function openSession(host: SessionHost, options: SessionOptions, shared: SharedParts) {
	const { clock, random, activity } = host;
	const { election, sharesWatch = false, passwordRequest } = options;
	let { profile, preferences = {} } = options;
	const { baseUrl, commandOptions = [] } = options;
	const { account } = profile;
	const closing = new AbortController();
	const { store, operations, jumps, requestCap } = shared;
	const accountNow = () => store.getState().accounts.get(account);
	const fold = (body: FactBody) => {
		if (!closing.signal.aborted) store.receive([{ account, at: clock.now(), ...body }]);
	};
	const onSignInFailed = (failure: Failure) => fold({ type: 'signInTried', failure });
	const credentials = withWaitReported(options.credentials, clock, onSignInFailed);
	const { platform, limiter } = connect(host, { ...options, credentials }, requestCap, {
		onSignedIn: email => fold({ type: 'signInTried', email }),
		onSignInFailed,
	});
	const initialAttention: Attention = {
		visibleIds: [],
		views: [],
		// A person has just started the program, and counts as watching. Later, the monitor reports every key.
		attendedUntil: clock.now() + unattendedAfterMs,
	};
	noteAccountChanges(store, account, () => profile.lowCreditsMs);
	const recorder = createRecorder<boolean>(() => !election);
	if (election && !sharesWatch) recordWhileNobodyLeads(election, recorder, clock, closing.signal);
	const stopListening = store.onFact(fact => {
		if (fact.account !== account) return;
		if (fact.type === 'signInTried' && !fact.failure) passwordRequest?.reportAccepted();
		// From its first operation on, others must be able to see that this process runs. Where it cannot listen, they cannot.
		if (fact.type === 'operationChanged' && fact.pane === undefined)
			election?.listen().catch(() => {});
	});
	const ownWatch = createWatch({
		account,
		platform,
		limiter,
		clock,
		jumps,
		random,
		accountState: accountNow,
		receive: store.receive,
		initialAttention,
		activity,
		maxShare() {
			const share = readShares[accountNow()?.chosenShare?.share ?? preferences.share ?? 'full'];
			return preferences.alone ? Math.min(share, shareWhenAlone) : share;
		},
	});
	const sharedWatch: SharedWatch | undefined =
		election && sharesWatch
			? createSharedWatch({
					account,
					ownWatch,
					store,
					clock,
					random,
					election,
					recorder,
					initialAttention,
				})
			: undefined;
	const watch: Watch = sharedWatch ?? ownWatch;
	const removeFromOperations = operations.addAccount({
		profile,
		platform,
		limiter,
		watch,
		questionStrictness: preferences.confirm,
		sshOptions: preferences.ssh && sshOptionsFrom(preferences.ssh),
		commandOptions,
		isRecorder: recorder.getState,
	});

	function signOut() {
		operations.cancel({ account });
		// A leader closes its listener before the token is gone, so that another process can go on at once.
		if (sharedWatch) sharedWatch.signOut();
		else ownWatch.stop();
		platform.signOut();
		passwordRequest?.cancel();
		if (!sharedWatch) ownWatch.start();
	}

	const stopFoldingLimits = foldLimitChanges(account, limiter, store, clock);
	const journal =
		options.keeping && openJournal({ ...options.keeping, account, store, clock, recorder });

	return {
		/** As in the store and in the names of files on disk. */
		account,
		get profile() {
			return profile;
		},
		baseUrl,
		store,
		platform,
		limiter,
		watch,
		/** If other processes of this machine share it. */
		sharedWatch: sharedWatch as Pick<SharedWatch, 'resign' | 'isUsedLast'> | undefined,
		/** Whether this process writes the log and runs the hooks, as only one of a host does. */
		recorder,
		election,
		operations,
		commandOptions,
		/** If the account signs in with a typed password. */
		passwordRequest,
		/** Applies the settings that need no other connection. Read-only stays so until the next start. */
		changeRules(next: AccountSettings) {
			const isReadOnly = profile.isReadOnly || next.preferences.readOnly;
			profile = { ...profileOf(next), account, isReadOnly };
			preferences = { ...next.preferences, alone: preferences.alone ?? false };
			operations.changeRules(account, {
				profile,
				questionStrictness: preferences.confirm,
				sshOptions: preferences.ssh && sshOptionsFrom(preferences.ssh),
			});
		},
		/** Deletes the token, and keeps the rows. Without it, no person could type the password for the next sign-in. */
		signOut: passwordRequest && signOut,
		signal: closing.signal,
		/** If something is kept between runs. */
		journal,
		/** Ends the reads and the operations, keeps the rest, and only then lets another process lead. */
		async close() {
			closing.abort();
			removeFromOperations();
			stopFoldingLimits();
			ownWatch.stop();
			platform.close();
			journal?.close();
			sharedWatch?.stop();
			stopListening();
			election?.close();
			await limiter.close();
		},
	};
}

// If it takes longer, a person types it, or a command waits for a touch of a security key.
const maxPromptWaitMs = 1_000;

/** While a sign-in waits for its password, the account counts as signed out. */
function withWaitReported(
	credentials: Credentials,
	clock: Clock,
	onWait: (failure: Failure) => void,
): Credentials {
	if (credentials.kind === 'token') return credentials;
	return {
		...credentials,
		password(signal, refused) {
			const cancel = clock.after(maxPromptWaitMs, () =>
				onWait(createFailure('auth', 'the sign-in waits for the password')),
			);
			return credentials.password(signal, refused).finally(cancel);
		},
	};
}

/** The limiter notifies after every request, also if nothing has changed. */
function foldLimitChanges(account: string, limiter: Limiter, store: Store, clock: Clock) {
	let last = '';
	return limiter.subscribe(() => {
		const { create, status, other } = limiter.slots();
		const standings = { create: usageOf(create), status: usageOf(status), other: usageOf(other) };
		const text = JSON.stringify(standings);
		if (text === last) return;
		last = text;
		store.receive([{ account, at: clock.now(), type: 'limitsChanged', standings }]);
	});
}

function usageOf(slots: Slots): ScopeUsage {
	const { limit, free, nextAt, frozenUntil, spentElsewhere } = slots;
	return {
		limit,
		spent: limit - free.operation,
		nextReadAt: free.read === 0 ? nextAt.read : undefined,
		nextOperationAt: free.operation === 0 ? nextAt.operation : undefined,
		elsewhere: spentElsewhere || undefined,
		frozenUntil,
	};
}
