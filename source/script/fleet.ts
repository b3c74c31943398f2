import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import { createJointRedaction } from '../accounts/redaction.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccessOptions } from '../session/access.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession, SharedParts } from '../session/session.ts';
import { reportStateFolder } from '../session/state-folder.ts';
import type { PrintList } from '../sharing/shared-watch-options.ts';
import { exitCodes, type ParsedArgs } from '../shell/command.ts';
import { createNotify, errorFromFailure } from '../shell/errors.ts';
import {
	BrokenPipe,
	type Interruption,
	TimedOut,
	watchForInterruption,
} from '../shell/interruption.ts';
import { loadSettings, requireAccount } from '../shell/load-settings.ts';
import { createPasswordQuestions, type PasswordQuestions } from '../shell/password-questions.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { cannotReadText } from '../wording/phrases/trouble-text.ts';
import { createLeaderAnswers, factsOfLeader, mayAskLeader } from './leader-answers.ts';
import {
	type AccountReader,
	type AccountReadName,
	createReader,
	createWaitNotifier,
} from './read-account.ts';

/** The name of the account in messages and output. */
type FleetProfile = Pick<AccountSettings, 'name' | 'shortName' | 'isProduction'> & {
	/** Whether the command works on several accounts, so that its output names the account. */
	isOneOfSeveral: boolean;
};

/**
 * An account that a command works on. The watch starts only when a command waits for a change: it spends
 * several requests at once on data that most commands do not need, and scripts run many commands.
 */
export type Fleet = AccountReader &
	FleetProfile &
	Pick<Interruption, 'signal' | 'withoutTimeout'> & {
		session: AccountSession;
		/**
		 * Does the same as `read`, but throws an error if the read fails, and returns the state of the account.
		 */
		readOrThrow(name: AccountReadName): Promise<AccountState>;
		/** Starts the watch, which polls the account until the command ends. */
		startWatch(): void;
		/** Returns the current state of the account. */
		accountNow(): AccountState;
		/**
		 * Resolves with the first defined result of `find`, or with undefined after `timeout` milliseconds.
		 */
		waitFor<T>(
			find: (account: AccountState) => T | undefined,
			timeoutMs?: number,
		): Promise<T | undefined>;
		/** Prints a notice on standard error. */
		notify(line: string): void;
	};

/** Opens the account that the command's options select, runs `work`, and closes the account. */
export function withFleet(
	host: Host,
	args: ParsedArgs,
	work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
	const account = () => [requireAccount(host, loadSettings(host, args))] as const;
	return withFleets(host, args, account, ([fleet]) => work(fleet));
}

type OpeningOptions = {
	/** Whether the command needs the changes and credits of earlier runs; true if absent. */
	needsHistory?: boolean;
	/** Set if the command shares the watch of this host, as a follower or as the leader. */
	sharesWatch?: { printList: PrintList } | undefined;
};

/** At least one opened account. */
export type Fleets = readonly [Fleet, ...Fleet[]];

/**
 * Opens the accounts that `chooseAccounts` returns, in their order, runs `work`, and closes them. Nothing is sent
 * before `work` runs.
 */
export async function withFleets(
	host: Host,
	args: ParsedArgs,
	chooseAccounts: () => ChosenAccounts,
	work: (fleets: Fleets, write: PasswordQuestions['write']) => Promise<number>,
	options: OpeningOptions = {},
): Promise<number> {
	const { program, clock } = host;
	const interruption = watchForInterruption(program, clock, args.seconds('timeout', 1, 86_400));
	const { signal } = interruption;
	const opened: OpenedSession[] = [];
	let shared: SharedParts | undefined;
	try {
		const [first, ...others] = chooseAccounts();
		const isOneOfSeveral = others.length > 0;
		const questions = createPasswordQuestions(program, isOneOfSeveral);
		const createRedaction = createJointRedaction();
		const notifyAll = createNotify(program, args.flag('json'));
		const problemsTo = reportStateFolder(host, notifyAll);
		shared = await createSharedTable(host, first, notifyAll, problemsTo(notifyAll));
		const table = shared;
		const open = async (account: AccountSettings): Promise<Fleet> => {
			const name = isOneOfSeveral ? account.name : undefined;
			const notify = createNotify(program, args.flag('json'), name);
			const access = {
				askForPassword: questions.askFor(account),
				onInterrupted: interruption.interrupt,
				onProblem: problemsTo(notify),
				redaction: createRedaction(),
			};
			// Asked now, the monitor answers while this process opens the account.
			const mayAsk = !options.sharesWatch && mayAskLeader(args, account);
			const leaderFacts = mayAsk ? factsOfLeader(host, accountKey(account)) : undefined;
			const session = await openSessionFor(host, account, { ...access, ...options }, table);
			opened.push(session);
			const profile = { name: account.name, shortName: account.shortName };
			return createFleet(host, session.session, interruption, notify, {
				...{ ...profile, leaderFacts },
				isProduction: account.isProduction,
				isOneOfSeveral,
			});
		};
		const fleets: [Fleet, ...Fleet[]] = [await open(first)];
		for (const account of others) fleets.push(await open(account));
		return await work(fleets, questions.write);
	} catch (error) {
		// After an abort, `work` can throw any error, so the reason for the abort is reported instead. A timeout
		// error from `work` is kept, because it may say what has been sent.
		const cause = signal.aborted && !(error instanceof TimedOut) ? signal.reason : error;
		if (cause instanceof BrokenPipe) return exitCodes.done;
		throw cause;
	} finally {
		shared?.operations.quit();
		for (const { session } of opened) await session.close();
		shared?.requestCap?.close();
		for (const { journal } of opened) await journal.close();
		interruption.stop();
	}
}

// A command has no countdown and never locks, because a script could neither cancel the countdown nor unlock.
const operationRules = { skipsGrace: true, lockAfterMs: Number.POSITIVE_INFINITY };

/** Creates the store and the operations of all accounts of a command, so that one question can be about all of them. */
async function createSharedTable(
	host: Host,
	{ maxRequestsPerMinute }: AccountSettings,
	notify: Fleet['notify'],
	onProblem: Fleet['notify'],
): Promise<SharedParts> {
	// These modules are loaded only when an account is opened, so that help, completion and usage errors are fast.
	const { openRequestCap } = await import('../session/access.ts');
	const { createSharedParts } = await import('../session/session.ts');
	const requestCap = openRequestCap(
		host,
		maxRequestsPerMinute,
		onProblem,
		createWaitNotifier(host.clock, notify),
	);
	return createSharedParts(host, { ...operationRules, requestCap });
}

type OpenedSession = { session: AccountSession; journal: Journal };

async function openSessionFor(
	host: Host,
	account: AccountSettings,
	options: AccessOptions & OpeningOptions,
	shared: SharedParts,
): Promise<OpenedSession> {
	const { buildAccess } = await import('../session/access.ts');
	const { openSession } = await import('../session/session.ts');
	const { openJournal, journalOwnerOf } = await import('../session/open-journal.ts');
	// The journal's owner is read before the sign-in, because the sign-in replaces the token that identifies
	// the owner.
	const owner = journalOwnerOf(account);
	const access = await buildAccess(host, account, options);
	const { commandSharing } = await import('../session/watch-sharing.ts');
	const { printList } = options.sharesWatch ?? {};
	const sharing = printList && commandSharing(host, account, access.account, printList);
	const sessionAccess = { ...access, ...(sharing && { sharing }) };
	const session = openSession(host, sessionAccess, shared);
	return { session, journal: await openJournal(host, session, owner, options.onProblem, options) };
}

function createFleet(
	host: Host,
	session: AccountSession,
	{ signal, withoutTimeout }: Interruption,
	notify: (line: string) => void,
	{
		leaderFacts,
		...profile
	}: FleetProfile & { leaderFacts: ReturnType<typeof factsOfLeader> | undefined },
): Fleet {
	const { clock } = host;
	const { store, account } = session;
	const current = () => store.getState().accounts.get(account) ?? emptyAccount;
	const askLeader = leaderFacts && createLeaderAnswers(host, session, leaderFacts, notify);
	const reader = createReader({ clock, session, signal, notify, ...(askLeader && { askLeader }) });
	let isWatching = false;
	return {
		...reader,
		...profile,
		session,
		async readOrThrow(name) {
			const failure = await reader.read(name);
			if (failure) throw errorFromFailure(cannotReadText(name), failure);
			return current();
		},
		startWatch() {
			if (!isWatching) session.watch.start();
			isWatching = true;
		},
		accountNow: current,
		signal,
		withoutTimeout,
		notify,
		waitFor: (find, timeout) =>
			new Promise((resolve, reject) => {
				const cleanups = [store.subscribe(check)];
				if (timeout !== undefined) cleanups.push(clock.after(timeout, () => end(undefined)));
				signal.addEventListener('abort', giveUp, { once: true });
				if (signal.aborted) giveUp();
				else check();

				function check() {
					const found = find(current());
					if (found !== undefined) end(found);
				}
				function giveUp() {
					end(undefined);
					reject(signal.reason);
				}
				function end(found: Parameters<typeof resolve>[0]) {
					for (const each of cleanups) each();
					signal.removeEventListener('abort', giveUp);
					if (!signal.aborted) resolve(found);
				}
			}),
	};
}
