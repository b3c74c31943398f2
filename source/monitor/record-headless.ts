import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import type { openMonitor } from './open-monitor.ts';

type RecordHeadlessOptions = {
	open: typeof openMonitor;
	/** Milliseconds; until it is interrupted, if there is none. */
	length: number | undefined;
	/** Nothing more can be written. */
	hasEnded: () => boolean;
};

/** Watches and shows nothing, where there is no terminal: until it is interrupted, or the time is over. */
export async function recordHeadless(
	host: Host,
	args: ParsedArgs,
	{ open, length, hasEnded }: RecordHeadlessOptions,
): Promise<void> {
	const { program, clock } = host;
	const over = new AbortController();
	const end = () => over.abort();
	const say = (line: string) => program.stderr.write(`${cleanForTerminal(line)}\n`);
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	for (const signal of signals) program.on(signal, end);
	const callOff = length === undefined ? () => {} : clock.after(length, end);
	const monitored = await open(host, args, {
		onTrouble(message) {
			say(message);
			if (hasEnded()) end();
		},
	});
	const { session, desk, greeting, close } = monitored;
	if (greeting) say(length === undefined ? `${greeting}. Ctrl-C ends the recording` : greeting);
	const endings = [reportFailures(session, say), desk ? declinePasswords(desk, say) : () => {}];
	session.watch.start();
	await new Promise<void>(resolve => {
		over.signal.addEventListener('abort', () => resolve(), { once: true });
		if (over.signal.aborted) resolve();
	});
	for (const each of endings) each();
	callOff();
	for (const signal of signals) program.off(signal, end);
	await close();
}

/** The watch never gives up, but whoever reads along learns why nothing comes. */
function reportFailures(
	{ store, account }: AccountSession,
	say: (line: string) => void,
): () => void {
	let told: string | undefined;
	return store.subscribe(({ accounts }) => {
		const failure = accounts.get(account)?.reads.list?.failing?.failure;
		if (failure?.message === told) return;
		told = failure?.message;
		if (!failure) say('The list of computers can be read again.');
		else say(`Cannot read the list of computers: ${failure.message}. ${failure.advice}`);
	});
}

/** Nobody is there to type one. */
function declinePasswords(desk: PasswordRequest, say: (line: string) => void): () => void {
	return desk.subscribe(() => {
		if (!desk.prompt()) return;
		say('A password is needed, and there is no terminal to ask on: set CROWSNEST_PASSWORD.');
		desk.cancel();
	});
}
