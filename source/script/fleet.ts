import type { Journal } from '../journal/journal.ts';
import { accessTo } from '../session/access.ts';
import { type Lookout, openLookout } from '../session/lookout.ts';
import { ownerOf, remember } from '../session/open-journal.ts';
import { accountFor } from '../session/open-session.ts';
import { exitCodes, type Given } from '../shell/command.ts';
import { errorFromFailure } from '../shell/command-failure.ts';
import type { Host } from '../shell/host.ts';
import { BrokenPipe, type Ending, TimedOut, watchForEnd } from '../shell/interruption.ts';
import { settingsOf } from '../shell/load-settings.ts';
import { createNotices } from '../shell/notices.ts';
import { passwordAsker } from '../shell/prompt.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { type AccountRead, createReader, type Reader, readSubjects } from './read-account.ts';

/**
 * The fleet as one command sees it. A watch would spend several requests at once on what most commands
 * need not know, and a script runs many of them: so it only begins where something is waited for.
 */
export type Fleet = Reader &
	Pick<Ending, 'signal' | 'untimed'> & {
		lookout: Lookout;
		/** As `read`, where nothing can be done without it. */
		need(name: AccountRead): Promise<AccountState>;
		/** From here on the watch goes on until the command ends. */
		watch(): void;
		known(): AccountState;
		/** Waits until something can be told of the account; for so long at most, if that is given. */
		once<T>(
			find: (account: AccountState) => T | undefined,
			patience?: number,
		): Promise<T | undefined>;
		/** One line for whoever reads along, beside the output. */
		say(line: string): void;
	};

/** Opens the account that the options name, and closes it when the work is done. */
export async function withFleet(
	host: Host,
	given: Given,
	work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
	const { program, clock } = host;
	const say = createNotices(program, given.flag('json'));
	const end = watchForEnd(program, clock, given.whole('timeout', 1, 86_400));
	let opened: Opened | undefined;
	try {
		opened = await openFor(host, given, end, say);
		return await work(fleetOf(host, opened.lookout, end, say));
	} catch (error) {
		// What was called off fails in its own ways; why it was is what counts, and what that meant.
		const isTold = error instanceof TimedOut;
		const cause = end.signal.aborted && !isTold ? end.signal.reason : error;
		if (cause instanceof BrokenPipe) return exitCodes.done;
		throw cause;
	} finally {
		await opened?.lookout.close();
		await opened?.journal.close();
		end.stop();
	}
}

// Who has answered does not wait for a countdown that nobody sees, and nobody is there to unlock it.
const unattended = { graces: { stop: 0, delete: 0 }, lockAfter: Number.POSITIVE_INFINITY };

type Opened = { lookout: Lookout; journal: Journal };

async function openFor(
	host: Host,
	given: Given,
	{ interrupt }: Ending,
	say: (line: string) => void,
): Promise<Opened> {
	const account = accountFor(host, settingsOf(host, given));
	// Before signing in replaces the proof of it.
	const owner = ownerOf(account);
	const ask = passwordAsker(host.program, account);
	const access = await accessTo(host, account, { ask, onInterrupted: interrupt, onTrouble: say });
	const lookout = openLookout(host, { ...access, ...unattended });
	return { lookout, journal: await remember(host, lookout, owner, say) };
}

function fleetOf(
	{ clock }: Host,
	lookout: Lookout,
	{ signal, untimed }: Ending,
	say: (line: string) => void,
): Fleet {
	const { store, account } = lookout;
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const reader = createReader({ clock, lookout, signal, say });
	let isWatching = false;
	return {
		...reader,
		lookout,
		async need(name) {
			const failure = await reader.read(name);
			if (failure) throw errorFromFailure(`${readSubjects[name]} cannot be read`, failure);
			return known();
		},
		watch() {
			if (!isWatching) lookout.watch.start();
			isWatching = true;
		},
		known,
		signal,
		untimed,
		say,
		once: (find, patience) =>
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
