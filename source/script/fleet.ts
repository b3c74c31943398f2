import type { Journal } from '../journal/journal.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { exitCodes, type ParsedArgs } from '../shell/command.ts';
import { errorFromFailure } from '../shell/errors.ts';
import {
	BrokenPipe,
	type Interruption,
	TimedOut,
	watchForInterruption,
} from '../shell/interruption.ts';
import { loadSettings, requireAccount } from '../shell/load-settings.ts';
import { createNotices } from '../shell/notices.ts';
import { passwordAsker } from '../shell/prompt.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { type AccountRead, createReader, type Reader, readSubjects } from './read-account.ts';

/**
 * The fleet as one command sees it. A watch would spend several requests at once on data that most
 * commands do not need, and scripts run many commands: so a watch starts only where a command waits for
 * a change.
 */
export type Fleet = Reader &
	Pick<Interruption, 'signal' | 'withoutTimeout'> & {
		session: AccountSession;
		/** Reads like `read`, and throws when that fails. */
		require(name: AccountRead): Promise<AccountState>;
		/** Starts the watch, which then goes on until the command ends. */
		watch(): void;
		/** The state of the account as it is now. */
		current(): AccountState;
		/** Resolves with the first result of `find`, or with undefined after `timeout` milliseconds. */
		waitFor<T>(
			find: (account: AccountState) => T | undefined,
			timeout?: number,
		): Promise<T | undefined>;
		/** Prints a line for a person, on standard error. */
		notify(line: string): void;
	};

/** Opens the account that the options name, and closes it when the work is done. */
export async function withFleet(
	host: Host,
	args: ParsedArgs,
	work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
	const { program, clock } = host;
	const notify = createNotices(program, args.flag('json'));
	const interruption = watchForInterruption(program, clock, args.whole('timeout', 1, 86_400));
	const { signal } = interruption;
	let opened: Opened | undefined;
	try {
		opened = await openFor(host, args, interruption, notify);
		return await work(fleetOf(host, opened.session, interruption, notify));
	} catch (error) {
		// Aborted work fails in many ways. The reason for the abort is the error to report, unless the work
		// itself has already said what a timeout meant for it.
		const cause = signal.aborted && !(error instanceof TimedOut) ? signal.reason : error;
		if (cause instanceof BrokenPipe) return exitCodes.done;
		throw cause;
	} finally {
		await opened?.session.close();
		await opened?.journal.close();
		interruption.stop();
	}
}

// A command has no screen to show a countdown on, and nobody to unlock it.
const scriptDefaults = { graces: { stop: 0, delete: 0 }, lockAfter: Number.POSITIVE_INFINITY };

type Opened = { session: AccountSession; journal: Journal };

async function openFor(
	host: Host,
	args: ParsedArgs,
	{ interrupt }: Interruption,
	notify: (line: string) => void,
): Promise<Opened> {
	const account = requireAccount(host, loadSettings(host, args));
	// Help, completion and wrong usage do not wait for the code that only an open account needs.
	const { accessTo } = await import('../session/access.ts');
	const { openSession } = await import('../session/session.ts');
	const { openJournal, ownerOf } = await import('../session/open-journal.ts');
	// The owner is read first: signing in replaces the token that proves it.
	const owner = ownerOf(account);
	const ask = passwordAsker(host.program, account);
	const access = await accessTo(host, account, {
		ask,
		onInterrupted: interrupt,
		onTrouble: notify,
	});
	const session = openSession(host, { ...access, ...scriptDefaults });
	return { session, journal: await openJournal(host, session, owner, notify) };
}

function fleetOf(
	{ clock }: Host,
	session: AccountSession,
	{ signal, withoutTimeout }: Interruption,
	notify: (line: string) => void,
): Fleet {
	const { store, account } = session;
	const current = () => store.getState().accounts.get(account) ?? emptyAccount;
	const reader = createReader({ clock, session, signal, notify });
	let isWatching = false;
	return {
		...reader,
		session,
		async require(name) {
			const failure = await reader.read(name);
			if (failure) throw errorFromFailure(`Cannot read ${readSubjects[name]}`, failure);
			return current();
		},
		watch() {
			if (!isWatching) session.watch.start();
			isWatching = true;
		},
		current,
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
