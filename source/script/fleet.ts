import type { Journal } from '../journal/journal.ts';
import { accessTo } from '../session/access.ts';
import type { Host } from '../session/host.ts';
import { openJournal, ownerOf } from '../session/open-journal.ts';
import { type AccountSession, openSession } from '../session/session.ts';
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
 * The fleet as one command sees it. A watch would spend several requests at once on what most commands
 * need not know, and a script runs many of them: so it only begins where something is waited for.
 */
export type Fleet = Reader &
	Pick<Interruption, 'signal' | 'untimed'> & {
		session: AccountSession;
		/** As `read`, where nothing can be done without it. */
		require(name: AccountRead): Promise<AccountState>;
		/** From here on the watch goes on until the command ends. */
		watch(): void;
		current(): AccountState;
		/** Waits until something can be told of the account; for so long at most, if that is given. */
		waitFor<T>(
			find: (account: AccountState) => T | undefined,
			patience?: number,
		): Promise<T | undefined>;
		/** One line for whoever reads along, beside the output. */
		say(line: string): void;
	};

/** Opens the account that the options name, and closes it when the work is done. */
export async function withFleet(
	host: Host,
	args: ParsedArgs,
	work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
	const { program, clock } = host;
	const say = createNotices(program, args.flag('json'));
	const end = watchForInterruption(program, clock, args.whole('timeout', 1, 86_400));
	let opened: Opened | undefined;
	try {
		opened = await openFor(host, args, end, say);
		return await work(fleetOf(host, opened.session, end, say));
	} catch (error) {
		// What was called off fails in its own ways; why it was is what counts, and what that meant.
		const isTold = error instanceof TimedOut;
		const cause = end.signal.aborted && !isTold ? end.signal.reason : error;
		if (cause instanceof BrokenPipe) return exitCodes.done;
		throw cause;
	} finally {
		await opened?.session.close();
		await opened?.journal.close();
		end.stop();
	}
}

// Who has answered does not wait for a countdown that nobody sees, and nobody is there to unlock it.
const scriptDefaults = { graces: { stop: 0, delete: 0 }, lockAfter: Number.POSITIVE_INFINITY };

type Opened = { session: AccountSession; journal: Journal };

async function openFor(
	host: Host,
	args: ParsedArgs,
	{ interrupt }: Interruption,
	say: (line: string) => void,
): Promise<Opened> {
	const account = requireAccount(host, loadSettings(host, args));
	// Before signing in replaces the proof of it.
	const owner = ownerOf(account);
	const ask = passwordAsker(host.program, account);
	const access = await accessTo(host, account, { ask, onInterrupted: interrupt, onTrouble: say });
	const session = openSession(host, { ...access, ...scriptDefaults });
	return { session, journal: await openJournal(host, session, owner, say) };
}

function fleetOf(
	{ clock }: Host,
	session: AccountSession,
	{ signal, untimed }: Interruption,
	say: (line: string) => void,
): Fleet {
	const { store, account } = session;
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const reader = createReader({ clock, session, signal, say });
	let isWatching = false;
	return {
		...reader,
		session,
		async require(name) {
			const failure = await reader.read(name);
			if (failure) throw errorFromFailure(`${readSubjects[name]} cannot be read`, failure);
			return known();
		},
		watch() {
			if (!isWatching) session.watch.start();
			isWatching = true;
		},
		current: known,
		signal,
		untimed,
		say,
		waitFor: (find, patience) =>
			new Promise((resolve, reject) => {
				const endings = [store.subscribe(look)];
				if (patience !== undefined) endings.push(clock.after(patience, () => end(undefined)));
				signal.addEventListener('abort', giveUp, { once: true });
				if (signal.aborted) giveUp();
				else look();

				function look() {
					const found = find(known());
					if (found !== undefined) end(found);
				}
				function giveUp() {
					end(undefined);
					reject(signal.reason);
				}
				function end(found: Parameters<typeof resolve>[0]) {
					for (const each of endings) each();
					signal.removeEventListener('abort', giveUp);
					if (!signal.aborted) resolve(found);
				}
			}),
	};
}
