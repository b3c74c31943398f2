import type { Journal } from '../journal/journal.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import { exitCodes, type Given, Interrupted, UsageError } from './command.ts';
import { accountOf } from './config-settings.ts';
import type { Host } from './host.ts';
import { BrokenPipe, watchForEnd } from './list-ending.ts';
import { CommandError, errorFromFailure, errorFromUsage, errorText } from './list-failure.ts';
import { readOnce } from './list-read.ts';
import { accessTo } from './login-access.ts';
import { passwordAsker } from './login-prompt.ts';
import { type Lookout, openLookout } from './lookout.ts';
import { remember } from './remember.ts';

/**
 * The fleet as one command sees it. A watch would spend several requests at once on what most commands
 * need not know, and a script runs many of them: so it only begins where something is waited for.
 */
export type Fleet = {
	lookout: Lookout;
	readList(): Promise<AccountState>;
	/** The newest version that is out, where the platform tells it. */
	readRelease(): Promise<void>;
	/** From here on the watch goes on until the command ends. */
	watch(): void;
	known(): AccountState;
	/** Waits until something can be told of the account; for so long at most, if that is given. */
	once<T>(
		find: (account: AccountState) => T | undefined,
		patience?: number,
	): Promise<T | undefined>;
	/** Aborted by Ctrl-C, and when nobody reads the output any more. */
	signal: AbortSignal;
	/** One line for whoever reads along, beside the output. */
	say(line: string): void;
};

/** Opens the account that the options name, and closes it when the work is done. */
export async function withFleet(
	host: Host,
	given: Given,
	command: string,
	work: (fleet: Fleet) => Promise<number>,
): Promise<number> {
	const { stderr } = host.program;
	const isJson = given.flag('json');
	const end = watchForEnd(host.program);
	let opened: Opened | undefined;
	try {
		opened = await openFor(host, given);
		return await work(fleetOf(host, opened.lookout, end.signal));
	} catch (error) {
		if (error instanceof BrokenPipe) return exitCodes.done;
		if (error instanceof Interrupted) return exitCodes.interrupted;
		const told = error instanceof UsageError && isJson ? errorFromUsage(error, command) : error;
		if (!(told instanceof CommandError)) throw told;
		stderr.write(errorText(told, isJson));
		return told.code;
	} finally {
		await opened?.lookout.close();
		await opened?.journal.close();
		end.stop();
	}
}

// Who has answered does not wait for a countdown that nobody sees, and nobody is there to unlock it.
const unattended = { graces: { stop: 0, delete: 0 }, lockAfter: Number.POSITIVE_INFINITY };

type Opened = { lookout: Lookout; journal: Journal };

async function openFor(host: Host, given: Given): Promise<Opened> {
	const account = accountOf(host, given);
	const onTrouble = (message: string) => {
		host.program.stderr.write(`${cleanForTerminal(message)}\n`);
	};
	const ask = passwordAsker(host.program, account);
	const access = await accessTo(host, account, { ask, onTrouble });
	const lookout = openLookout(host, { ...access, ...unattended });
	return { lookout, journal: await remember(host, lookout, onTrouble) };
}

function fleetOf({ program, clock }: Host, lookout: Lookout, signal: AbortSignal): Fleet {
	const { store, account } = lookout;
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const say = (line: string) => program.stderr.write(`${cleanForTerminal(line)}\n`);
	const read = async (name: 'list' | 'release') => {
		const failure = await readOnce({ clock, lookout, signal, say }, name);
		signal.throwIfAborted();
		return failure;
	};
	let isWatching = false;
	return {
		lookout,
		async readList() {
			const failure = await read('list');
			if (failure) throw errorFromFailure('the list of computers cannot be read', failure);
			return known();
		},
		async readRelease() {
			await read('release');
		},
		watch() {
			if (!isWatching) lookout.watch.start();
			isWatching = true;
		},
		known,
		signal,
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

/** Some platforms tell the status in no list: then each of these is asked for its own. */
export async function readStatuses(fleet: Fleet, computers: readonly ComputerState[]) {
	const { lookout, once, say } = fleet;
	const untold = computers.filter(({ reading }) => reading.status === undefined);
	if (untold.length === 0) return;
	if (untold.length > 10) say(`the list tells no status: asking for ${untold.length} of them`);
	const ids = untold.map(({ id }) => id);
	lookout.watch.setView({ visible: new Set(ids), focused: true });
	fleet.watch();
	await once(account => ids.every(id => isStatusTried(account, id)) || undefined);
	const { computers: all } = fleet.known();
	const left = ids.filter(id => all.has(id) && !all.get(id)?.reading.status).length;
	if (left > 0) say(`nothing tells the status of ${left} of them`);
}

function isStatusTried({ computers, sights }: AccountState, id: string): boolean {
	const computer = computers.get(id);
	if (!computer || computer.isMissing || computer.reading.status !== undefined) return true;
	return sights.get(id)?.failing?.status !== undefined;
}
