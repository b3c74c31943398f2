import type { AccountSettings, ChosenAccounts } from '../accounts/account-settings.ts';
import { createRedaction } from '../accounts/redaction.ts';
import { exitCodes } from '../foundation/error.ts';
import { openRequestCap } from '../session/access.ts';
import type { Host } from '../session/host.ts';
import { type AccountSession, createSharedParts, openConfigured } from '../session/session.ts';
import { loadSettings, requireAccount } from '../session/settings.ts';
import { reportStateFolder } from '../session/state-folder.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { cannotReadText } from '../views/phrases/reads.ts';
import { createNotify, errorFromFailure, type ParsedArgs } from './command.ts';
import { BrokenPipe, type Interruption, TimedOut, watchForInterruption } from './interruption.ts';
import { createPasswordQuestions, type PasswordQuestions } from './prompt.ts';
import { type AccountReadName, createReader, createWaitNotifier } from './read-account.ts';

export type Fleet = ReturnType<typeof fleetOf> &
	Pick<AccountSettings, 'name' | 'shortName'> & {
		/** The name that output shows; undefined if the command works on one account. */
		label: string | undefined;
	};

export type Fleets = readonly [Fleet, ...Fleet[]];

type OpeningOptions = {
	/** The changes and credits of earlier runs; true if absent. */
	needsHistory?: boolean;
	/** As a follower or as the leader. */
	sharesWatch?: boolean;
};

export async function withFleet(
	host: Host,
	args: ParsedArgs,
	work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
	const account = () => [requireAccount(host, loadSettings(host, args))] as const;
	return withFleets(host, args, account, ([fleet]) => work(fleet));
}

// A command has no countdown and never locks, because a script could neither cancel the countdown nor unlock.
const operationRules = { skipsGrace: true, lockAfterMs: Number.POSITIVE_INFINITY };

export async function withFleets(
	host: Host,
	args: ParsedArgs,
	chooseAccounts: () => ChosenAccounts,
	work: (fleets: Fleets, write: PasswordQuestions['write']) => Promise<number>,
	{ needsHistory = true, sharesWatch = false }: OpeningOptions = {},
): Promise<number> {
	const { program, clock } = host;
	const timeout = args.seconds('timeout', 1, 86_400);
	// A wrong option is said before a missing account.
	const [first, ...others] = chooseAccounts();
	const interruption = watchForInterruption(program, clock, timeout);
	const { signal } = interruption;
	const isOneOfSeveral = others.length > 0;
	const questions = createPasswordQuestions(program, isOneOfSeveral);
	// One for all accounts, because an error of one may quote another, for example if they have the same proxy.
	const redaction = createRedaction();
	const notifyAll = createNotify(program, args.flag('json'));
	const problemsTo = reportStateFolder(host, notifyAll);
	const requestCap = openRequestCap(
		host,
		first.maxRequestsPerMinute,
		problemsTo(notifyAll),
		createWaitNotifier(clock, notifyAll),
	);
	const shared = createSharedParts(host, { ...operationRules, requestCap });
	const opened: AccountSession[] = [];

	async function open(account: AccountSettings): Promise<Fleet> {
		const { name, shortName } = account;
		const label = isOneOfSeveral ? name : undefined;
		const notify = createNotify(program, args.flag('json'), label);
		const session = await openConfigured(host, account, shared, {
			askForPassword: questions.askFor(account),
			onInterrupted: interruption.interrupt,
			onProblem: problemsTo(notify),
			redaction,
			needsHistory,
			// A command has no screen that would decide what is read.
			sharing: sharesWatch ? { hasScreen: false } : undefined,
		});
		opened.push(session);
		// A command that changes something has no --fresh, because it always asks the platform.
		const asksLeader =
			!sharesWatch && args.hasOption('fresh') && !args.flag('fresh') && !account.preferences.alone;
		const fleet = fleetOf(host, session, interruption, notify, asksLeader);
		return { ...fleet, name, shortName, label };
	}

	try {
		const fleets: [Fleet, ...Fleet[]] = [await open(first)];
		for (const account of others) fleets.push(await open(account));
		return await work(fleets, questions.write);
	} catch (error) {
		// After an abort, `work` can throw any error, so the reason for the abort is reported instead. A timeout error from
		// `work` is kept, because it may say what has been sent.
		const cause = signal.aborted && !(error instanceof TimedOut) ? signal.reason : error;
		if (cause instanceof BrokenPipe) return exitCodes.done;
		throw cause;
	} finally {
		shared.operations.quit();
		for (const session of opened) await session.close();
		requestCap?.close();
		interruption.stop();
	}
}

/** The watch starts only when a command waits for a change, because it spends several requests at once. */
function fleetOf(
	host: Host,
	session: AccountSession,
	{ signal, withoutTimeout }: Pick<Interruption, 'signal' | 'withoutTimeout'>,
	notify: (line: string) => void,
	asksLeader: boolean,
) {
	const { clock } = host;
	const { store, account } = session;
	const accountNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	const { read, readStatus, readDetail } = createReader(host, {
		session,
		signal,
		notify,
		asksLeader,
	});
	let isWatching = false;
	return {
		read,
		readStatus,
		readDetail,
		session,
		clock,
		signal,
		withoutTimeout,
		notify,
		accountNow,
		async readOrThrow(name: AccountReadName): Promise<AccountState> {
			const failure = await read(name);
			if (failure) throw errorFromFailure(cannotReadText(name), failure);
			return accountNow();
		},
		startWatch(): void {
			if (!isWatching) session.watch.start();
			isWatching = true;
		},
		waitFor<T>(
			find: (account: AccountState) => T | undefined,
			timeoutMs?: number,
		): Promise<T | undefined> {
			return new Promise((resolve, reject) => {
				const cleanups = [store.subscribe(check)];
				if (timeoutMs !== undefined) cleanups.push(clock.after(timeoutMs, () => end(undefined)));
				signal.addEventListener('abort', giveUp, { once: true });
				if (signal.aborted) giveUp();
				else check();

				function check() {
					const found = find(accountNow());
					if (found !== undefined) end(found);
				}
				function giveUp() {
					end(undefined);
					reject(signal.reason);
				}
				function end(found: T | undefined) {
					for (const each of cleanups) each();
					signal.removeEventListener('abort', giveUp);
					if (!signal.aborted) resolve(found);
				}
			});
		},
	};
}
