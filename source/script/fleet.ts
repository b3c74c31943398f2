import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import { accountKey } from '../accounts/credentials.ts';
import { createRedaction } from '../accounts/redaction.ts';
import { exitCodes } from '../foundation/error.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession, SharedParts } from '../session/session.ts';
import { loadSettings, requireAccount } from '../session/settings.ts';
import { reportStateFolder } from '../session/state-folder.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { cannotReadText } from '../views/phrases/reads.ts';
import { createNotify, errorFromFailure, type ParsedArgs } from './command.ts';
import { BrokenPipe, type Interruption, TimedOut, watchForInterruption } from './interruption.ts';
import { createLeaderAnswers, factsOfLeader, mayAskLeader } from './leader-answers.ts';
import {
	createSharedTable,
	type OpenedSession,
	type OpeningOptions,
	openSessionFor,
} from './open-session.ts';
import { createPasswordQuestions, type PasswordQuestions } from './prompt.ts';
import {
	type AccountReader,
	type AccountReadName,
	createReader,
	withFirstRead,
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

/** At least one opened account. */
export type Fleets = readonly [Fleet, ...Fleet[]];

/**
 * Opens the accounts that `chooseAccounts` returns, in their order, runs `work`, and closes them. Only the first read is
 * sent before `work` runs.
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
		// One for all accounts, because an error of one may quote another, for example if they have the same proxy.
		const redaction = createRedaction();
		const notifyAll = createNotify(program, args.flag('json'));
		const problemsTo = reportStateFolder(host, notifyAll);
		shared = await createSharedTable(host, first, notifyAll, problemsTo(notifyAll));
		const table = shared;
		const open = async (account: AccountSettings): Promise<Fleet> => {
			const { name, shortName, isProduction } = account;
			const notify = createNotify(program, args.flag('json'), isOneOfSeveral ? name : undefined);
			const firstRead = isOneOfSeveral ? undefined : options.firstRead;
			const opening = {
				...options,
				firstRead,
				askForPassword: questions.askFor(account),
				onInterrupted: interruption.interrupt,
				onProblem: problemsTo(notify),
				redaction,
			};
			// Asked now, the monitor answers while this process opens the account.
			const mayAsk = !options.sharesWatch && mayAskLeader(args, account);
			const leaderFacts = mayAsk ? factsOfLeader(host, accountKey(account)) : undefined;
			const one = await openSessionFor(host, account, opening, table);
			opened.push(one);
			const profile = { name, shortName, isProduction, isOneOfSeveral };
			const more = { ...profile, leaderFacts, firstRead };
			const fleet = createFleet(host, one, interruption, notify, more);
			await one.recalled;
			return fleet;
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
		for (const { session, journal } of opened) await session.close(() => journal()?.close());
		shared?.requestCap?.close();
		interruption.stop();
	}
}

function createFleet(
	host: Host,
	{ session, recalled }: OpenedSession,
	{ signal, withoutTimeout }: Interruption,
	notify: (line: string) => void,
	{
		leaderFacts,
		firstRead,
		...profile
	}: FleetProfile & {
		leaderFacts: ReturnType<typeof factsOfLeader> | undefined;
		firstRead: AccountReadName | undefined;
	},
): Fleet {
	const { clock } = host;
	const { store, account } = session;
	const current = () => store.getState().accounts.get(account) ?? emptyAccount;
	const askLeader =
		leaderFacts && createLeaderAnswers(host, session, leaderFacts, recalled, notify);
	const readerOptions = { clock, session, signal, notify, recalled };
	const plainReader = createReader({ ...readerOptions, ...(askLeader && { askLeader }) });
	const reader = firstRead ? withFirstRead(plainReader, firstRead) : plainReader;
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
